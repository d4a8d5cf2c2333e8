// Inter-process communication with prioritised messages, after the module that Zaks and Joshi
// checked (Verifying Multi-threaded C Programs with SPIN, section 5); written for this bench.
// A pool of buffers, queues with a ring for each priority, ports with names and rights,
// messages with typed fields and a check sum, a log, counters, and a self test of every
// structure. SENDERS threads send MESSAGES messages each through one port whose queue has room
// for CAPACITY messages of each priority; one thread receives all of them.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#ifndef SENDERS
#define SENDERS 1
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif

// ---- results ------------------------------------------------------------------------------

enum ipc_result {
    IPC_OK = 0,
    IPC_EMPTY,
    IPC_FULL,
    IPC_CLOSED,
    IPC_NO_BUFFER,
    IPC_NO_PORT,
    IPC_NO_RIGHT,
    IPC_BAD_ARGUMENT,
    IPC_BAD_MESSAGE,
    IPC_TOO_LONG,
    IPC_EXISTS,
    IPC_RESULTS
};

static const char *const ipc_result_names[IPC_RESULTS] = {
    "ok",          "empty",    "full",        "closed",   "no buffer", "no port",
    "no right",    "bad argument", "bad message", "too long", "exists",
};

static const char *ipc_result_name(enum ipc_result result) {
    return result < IPC_RESULTS ? ipc_result_names[result] : "unknown";
}

// ---- check sums ---------------------------------------------------------------------------

// CRC-16 with the polynomial 0x1021, four bits at a time.
static const uint16_t ipc_crc_nibbles[16] = {
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7,
    0x8108, 0x9129, 0xa14a, 0xb16b, 0xc18c, 0xd1ad, 0xe1ce, 0xf1ef,
};

static uint16_t ipc_crc_byte(uint16_t crc, uint8_t byte) {
    crc = (uint16_t)(crc << 4) ^ ipc_crc_nibbles[(crc >> 12) ^ (byte >> 4)];
    crc = (uint16_t)(crc << 4) ^ ipc_crc_nibbles[(crc >> 12) ^ (byte & 15)];
    return crc;
}

static uint16_t ipc_crc(uint16_t crc, const void *data, size_t size) {
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        crc = ipc_crc_byte(crc, bytes[i]);
    return crc;
}

// ---- messages -----------------------------------------------------------------------------

enum ipc_priority { IPC_URGENT, IPC_NORMAL, IPC_BULK, IPC_PRIORITIES };

enum ipc_type { IPC_DATA, IPC_REQUEST, IPC_REPLY, IPC_SHUTDOWN, IPC_TYPES };

enum { IPC_PAYLOAD = 24, IPC_NOBODY = 0xff };

struct ipc_message {
    uint16_t sum;
    uint8_t type;
    uint8_t priority;
    uint8_t sender;
    uint8_t length;
    uint16_t sequence;
    uint16_t answers;
    uint8_t payload[IPC_PAYLOAD];
};

static void ipc_message_clear(struct ipc_message *message) {
    memset(message, 0, sizeof *message);
    message->sender = IPC_NOBODY;
}

static uint16_t ipc_message_sum(const struct ipc_message *message) {
    uint16_t crc = 0xffff;
    crc = ipc_crc_byte(crc, message->type);
    crc = ipc_crc_byte(crc, message->priority);
    crc = ipc_crc_byte(crc, message->sender);
    crc = ipc_crc_byte(crc, message->length);
    crc = ipc_crc(crc, &message->sequence, sizeof message->sequence);
    crc = ipc_crc(crc, &message->answers, sizeof message->answers);
    return ipc_crc(crc, message->payload, message->length);
}

static void ipc_message_seal(struct ipc_message *message) {
    message->sum = ipc_message_sum(message);
}

static enum ipc_result ipc_message_check(const struct ipc_message *message) {
    if (message->type >= IPC_TYPES || message->priority >= IPC_PRIORITIES)
        return IPC_BAD_MESSAGE;
    if (message->length > IPC_PAYLOAD)
        return IPC_TOO_LONG;
    return message->sum == ipc_message_sum(message) ? IPC_OK : IPC_BAD_MESSAGE;
}

static void ipc_message_copy(struct ipc_message *to, const struct ipc_message *from) {
    to->sum = from->sum;
    to->type = from->type;
    to->priority = from->priority;
    to->sender = from->sender;
    to->length = from->length;
    to->sequence = from->sequence;
    to->answers = from->answers;
    memcpy(to->payload, from->payload, from->length);
}

// ---- fields of a payload: tag, length, bytes ---------------------------------------------

enum ipc_tag { IPC_TAG_END, IPC_TAG_U8, IPC_TAG_U16, IPC_TAG_U32, IPC_TAG_TEXT, IPC_TAGS };

struct ipc_writer {
    struct ipc_message *message;
    enum ipc_result result;
};

struct ipc_reader {
    const struct ipc_message *message;
    uint8_t at;
    enum ipc_result result;
};

static struct ipc_writer ipc_write(struct ipc_message *message) {
    struct ipc_writer writer = {message, IPC_OK};
    message->length = 0;
    return writer;
}

static void ipc_put(struct ipc_writer *writer, enum ipc_tag tag, const void *data, uint8_t size) {
    struct ipc_message *message = writer->message;
    if (writer->result != IPC_OK)
        return;
    if (message->length + 2 + size > IPC_PAYLOAD) {
        writer->result = IPC_TOO_LONG;
        return;
    }
    message->payload[message->length] = (uint8_t)tag;
    message->payload[message->length + 1] = size;
    memcpy(&message->payload[message->length + 2], data, size);
    message->length = (uint8_t)(message->length + 2 + size);
}

static void ipc_put_u8(struct ipc_writer *writer, uint8_t value) {
    ipc_put(writer, IPC_TAG_U8, &value, 1);
}

static void ipc_put_u16(struct ipc_writer *writer, uint16_t value) {
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    ipc_put(writer, IPC_TAG_U16, bytes, 2);
}

static void ipc_put_u32(struct ipc_writer *writer, uint32_t value) {
    uint8_t bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    ipc_put(writer, IPC_TAG_U32, bytes, 4);
}

static void ipc_put_text(struct ipc_writer *writer, const char *text) {
    size_t length = strlen(text);
    if (length > IPC_PAYLOAD)
        writer->result = IPC_TOO_LONG;
    else
        ipc_put(writer, IPC_TAG_TEXT, text, (uint8_t)length);
}

static struct ipc_reader ipc_read(const struct ipc_message *message) {
    struct ipc_reader reader = {message, 0, IPC_OK};
    return reader;
}

// The bytes of the next field, which must have this tag (and size, unless it is a text).
static const uint8_t *ipc_get(struct ipc_reader *reader, enum ipc_tag tag, uint8_t *size) {
    const struct ipc_message *message = reader->message;
    if (reader->result != IPC_OK)
        return 0;
    if (reader->at + 2 > message->length || message->payload[reader->at] != tag) {
        reader->result = IPC_BAD_MESSAGE;
        return 0;
    }
    *size = message->payload[reader->at + 1];
    if (reader->at + 2 + *size > message->length) {
        reader->result = IPC_BAD_MESSAGE;
        return 0;
    }
    const uint8_t *field = &message->payload[reader->at + 2];
    reader->at = (uint8_t)(reader->at + 2 + *size);
    return field;
}

static uint8_t ipc_get_u8(struct ipc_reader *reader) {
    uint8_t size = 0;
    const uint8_t *field = ipc_get(reader, IPC_TAG_U8, &size);
    return field ? field[0] : 0;
}

static uint16_t ipc_get_u16(struct ipc_reader *reader) {
    uint8_t size = 0;
    const uint8_t *field = ipc_get(reader, IPC_TAG_U16, &size);
    return field ? (uint16_t)(field[0] | field[1] << 8) : 0;
}

static uint32_t ipc_get_u32(struct ipc_reader *reader) {
    uint8_t size = 0;
    const uint8_t *field = ipc_get(reader, IPC_TAG_U32, &size);
    uint32_t value = 0;
    for (int i = 0; field && i < 4; i++)
        value |= (uint32_t)field[i] << (8 * i);
    return value;
}

static void ipc_get_text(struct ipc_reader *reader, char *text, uint8_t room) {
    uint8_t size = 0;
    const uint8_t *field = ipc_get(reader, IPC_TAG_TEXT, &size);
    text[0] = 0;
    if (!field)
        return;
    if (size >= room) {
        reader->result = IPC_TOO_LONG;
        return;
    }
    memcpy(text, field, size);
    text[size] = 0;
}

static int ipc_at_end(const struct ipc_reader *reader) {
    return reader->result == IPC_OK && reader->at == reader->message->length;
}

// ---- the pool of buffers ------------------------------------------------------------------

enum { IPC_NONE = -1, IPC_BUFFERS = SENDERS * MESSAGES + 1 };

enum ipc_owner { IPC_FREE, IPC_WRITING, IPC_QUEUED, IPC_READING };

struct ipc_buffer {
    struct ipc_message message;
    int next;
    uint8_t owner;
};

struct ipc_pool {
    pthread_mutex_t mutex;
    struct ipc_buffer buffers[IPC_BUFFERS];
    int free;
    int available;
    int least;
};

static void ipc_pool_init(struct ipc_pool *pool) {
    pthread_mutex_init(&pool->mutex, 0);
    for (int i = 0; i < IPC_BUFFERS; i++) {
        ipc_message_clear(&pool->buffers[i].message);
        pool->buffers[i].next = i + 1 < IPC_BUFFERS ? i + 1 : IPC_NONE;
        pool->buffers[i].owner = IPC_FREE;
    }
    pool->free = 0;
    pool->available = IPC_BUFFERS;
    pool->least = IPC_BUFFERS;
}

// Takes a buffer from the pool; IPC_NONE if there is none.
static int ipc_pool_take(struct ipc_pool *pool) {
    pthread_mutex_lock(&pool->mutex);
    int buffer = pool->free;
    if (buffer != IPC_NONE) {
        assert(pool->buffers[buffer].owner == IPC_FREE);
        pool->free = pool->buffers[buffer].next;
        pool->buffers[buffer].next = IPC_NONE;
        pool->buffers[buffer].owner = IPC_WRITING;
        pool->available--;
        if (pool->available < pool->least)
            pool->least = pool->available;
    }
    pthread_mutex_unlock(&pool->mutex);
    return buffer;
}

static enum ipc_result ipc_pool_give(struct ipc_pool *pool, int buffer) {
    if (buffer < 0 || buffer >= IPC_BUFFERS)
        return IPC_BAD_ARGUMENT;
    ipc_message_clear(&pool->buffers[buffer].message);
    pthread_mutex_lock(&pool->mutex);
    assert(pool->buffers[buffer].owner != IPC_FREE);
    pool->buffers[buffer].owner = IPC_FREE;
    pool->buffers[buffer].next = pool->free;
    pool->free = buffer;
    pool->available++;
    pthread_mutex_unlock(&pool->mutex);
    return IPC_OK;
}

static struct ipc_message *ipc_pool_message(struct ipc_pool *pool, int buffer) {
    assert(buffer >= 0 && buffer < IPC_BUFFERS);
    return &pool->buffers[buffer].message;
}

// Every free buffer is on the list once, and no other is. Called without other threads.
static void ipc_pool_verify(const struct ipc_pool *pool) {
    uint8_t seen[IPC_BUFFERS] = {0};
    int count = 0;
    for (int i = pool->free; i != IPC_NONE; i = pool->buffers[i].next) {
        assert(i >= 0 && i < IPC_BUFFERS);
        assert(!seen[i] && pool->buffers[i].owner == IPC_FREE);
        seen[i] = 1;
        count++;
    }
    assert(count == pool->available);
    for (int i = 0; i < IPC_BUFFERS; i++)
        assert(seen[i] == (pool->buffers[i].owner == IPC_FREE));
}

// ---- rings --------------------------------------------------------------------------------

struct ipc_ring {
    int slots[CAPACITY];
    uint8_t first;
    uint8_t count;
};

static void ipc_ring_init(struct ipc_ring *ring) {
    for (int i = 0; i < CAPACITY; i++)
        ring->slots[i] = IPC_NONE;
    ring->first = 0;
    ring->count = 0;
}

static int ipc_ring_full(const struct ipc_ring *ring) { return ring->count == CAPACITY; }

static int ipc_ring_empty(const struct ipc_ring *ring) { return ring->count == 0; }

static void ipc_ring_push(struct ipc_ring *ring, int buffer) {
    assert(!ipc_ring_full(ring));
    ring->slots[(ring->first + ring->count) % CAPACITY] = buffer;
    ring->count++;
}

static int ipc_ring_pop(struct ipc_ring *ring) {
    assert(!ipc_ring_empty(ring));
    int buffer = ring->slots[ring->first];
    ring->slots[ring->first] = IPC_NONE;
    ring->first = (uint8_t)((ring->first + 1) % CAPACITY);
    ring->count--;
    // An empty ring always looks the same.
    if (ring->count == 0)
        ring->first = 0;
    return buffer;
}

static int ipc_ring_peek(const struct ipc_ring *ring) {
    return ipc_ring_empty(ring) ? IPC_NONE : ring->slots[ring->first];
}

static void ipc_ring_verify(const struct ipc_ring *ring) {
    assert(ring->first < CAPACITY && ring->count <= CAPACITY);
    for (int i = 0; i < CAPACITY; i++) {
        int used = (i - ring->first + CAPACITY) % CAPACITY < ring->count;
        assert(used == (ring->slots[i] != IPC_NONE));
    }
}

// ---- queues -------------------------------------------------------------------------------

struct ipc_counters {
    uint16_t sent;
    uint16_t received;
    uint16_t refused;
    uint16_t dropped;
    uint8_t most;
};

struct ipc_queue {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    struct ipc_ring rings[IPC_PRIORITIES];
    struct ipc_counters counters;
    uint8_t count;
    uint8_t closed;
    uint8_t readers;
    uint8_t writers;
};

static void ipc_queue_init(struct ipc_queue *queue) {
    pthread_mutex_init(&queue->mutex, 0);
    pthread_cond_init(&queue->not_empty, 0);
    pthread_cond_init(&queue->not_full, 0);
    for (int i = 0; i < IPC_PRIORITIES; i++)
        ipc_ring_init(&queue->rings[i]);
    memset(&queue->counters, 0, sizeof queue->counters);
    queue->count = 0;
    queue->closed = 0;
    queue->readers = 0;
    queue->writers = 0;
}

// With the mutex.
static void ipc_queue_insert(struct ipc_queue *queue, enum ipc_priority priority, int buffer) {
    ipc_ring_push(&queue->rings[priority], buffer);
    queue->count++;
    queue->counters.sent++;
    if (queue->count > queue->counters.most)
        queue->counters.most = queue->count;
    if (queue->readers > 0)
        pthread_cond_signal(&queue->not_empty);
}

// With the mutex: the first buffer of the highest priority.
static int ipc_queue_remove(struct ipc_queue *queue) {
    for (int i = 0; i < IPC_PRIORITIES; i++)
        if (!ipc_ring_empty(&queue->rings[i])) {
            int buffer = ipc_ring_pop(&queue->rings[i]);
            queue->count--;
            queue->counters.received++;
            // Writers wait for room in different rings, so all have to look.
            if (queue->writers > 0)
                pthread_cond_broadcast(&queue->not_full);
            return buffer;
        }
    return IPC_NONE;
}

static enum ipc_result ipc_queue_try_send(struct ipc_queue *queue, enum ipc_priority priority,
                                          int buffer) {
    enum ipc_result result = IPC_OK;
    if (priority >= IPC_PRIORITIES)
        return IPC_BAD_ARGUMENT;
    pthread_mutex_lock(&queue->mutex);
    if (queue->closed)
        result = IPC_CLOSED;
    else if (ipc_ring_full(&queue->rings[priority]))
        result = IPC_FULL;
    else
        ipc_queue_insert(queue, priority, buffer);
    if (result != IPC_OK)
        queue->counters.refused++;
    pthread_mutex_unlock(&queue->mutex);
    return result;
}

static enum ipc_result ipc_queue_send(struct ipc_queue *queue, enum ipc_priority priority,
                                      int buffer) {
    enum ipc_result result = IPC_OK;
    if (priority >= IPC_PRIORITIES)
        return IPC_BAD_ARGUMENT;
    pthread_mutex_lock(&queue->mutex);
    queue->writers++;
    while (!queue->closed && ipc_ring_full(&queue->rings[priority]))
        pthread_cond_wait(&queue->not_full, &queue->mutex);
    queue->writers--;
    if (queue->closed) {
        result = IPC_CLOSED;
        queue->counters.refused++;
    } else {
        ipc_queue_insert(queue, priority, buffer);
    }
    pthread_mutex_unlock(&queue->mutex);
    return result;
}

static enum ipc_result ipc_queue_try_receive(struct ipc_queue *queue, int *buffer) {
    pthread_mutex_lock(&queue->mutex);
    *buffer = ipc_queue_remove(queue);
    enum ipc_result result = *buffer != IPC_NONE ? IPC_OK
                             : queue->closed     ? IPC_CLOSED
                                                 : IPC_EMPTY;
    pthread_mutex_unlock(&queue->mutex);
    return result;
}

static enum ipc_result ipc_queue_receive(struct ipc_queue *queue, int *buffer) {
    pthread_mutex_lock(&queue->mutex);
    queue->readers++;
    while (queue->count == 0 && !queue->closed)
        pthread_cond_wait(&queue->not_empty, &queue->mutex);
    queue->readers--;
    *buffer = ipc_queue_remove(queue);
    pthread_mutex_unlock(&queue->mutex);
    return *buffer != IPC_NONE ? IPC_OK : IPC_CLOSED;
}

// The type of what would be received next.
static enum ipc_result ipc_queue_peek(struct ipc_queue *queue, struct ipc_pool *pool,
                                      enum ipc_type *type) {
    int buffer = IPC_NONE;
    pthread_mutex_lock(&queue->mutex);
    for (int i = 0; i < IPC_PRIORITIES && buffer == IPC_NONE; i++)
        buffer = ipc_ring_peek(&queue->rings[i]);
    if (buffer != IPC_NONE)
        *type = (enum ipc_type)ipc_pool_message(pool, buffer)->type;
    pthread_mutex_unlock(&queue->mutex);
    return buffer != IPC_NONE ? IPC_OK : IPC_EMPTY;
}

// Lets everybody go who waits; what is in the queue can still be received.
static void ipc_queue_close(struct ipc_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->closed = 1;
    pthread_cond_broadcast(&queue->not_empty);
    pthread_cond_broadcast(&queue->not_full);
    pthread_mutex_unlock(&queue->mutex);
}

// Gives everything in the queue back to the pool; returns how much that was.
static int ipc_queue_flush(struct ipc_queue *queue, struct ipc_pool *pool) {
    int flushed = 0;
    for (;;) {
        int buffer = IPC_NONE;
        pthread_mutex_lock(&queue->mutex);
        buffer = ipc_queue_remove(queue);
        if (buffer != IPC_NONE) {
            queue->counters.received--;
            queue->counters.dropped++;
        }
        pthread_mutex_unlock(&queue->mutex);
        if (buffer == IPC_NONE)
            return flushed;
        ipc_pool_give(pool, buffer);
        flushed++;
    }
}

// Called without other threads.
static void ipc_queue_verify(const struct ipc_queue *queue, const struct ipc_pool *pool) {
    int count = 0;
    for (int i = 0; i < IPC_PRIORITIES; i++) {
        const struct ipc_ring *ring = &queue->rings[i];
        ipc_ring_verify(ring);
        count += ring->count;
        for (int k = 0; k < ring->count; k++) {
            const struct ipc_buffer *buffer =
                &pool->buffers[ring->slots[(ring->first + k) % CAPACITY]];
            assert(buffer->owner == IPC_QUEUED && buffer->message.priority == i);
        }
    }
    assert(count == queue->count && queue->readers == 0 && queue->writers == 0);
    assert(queue->counters.sent ==
           queue->counters.received + queue->counters.dropped + queue->count);
}

// ---- logs ---------------------------------------------------------------------------------

enum { IPC_LOG = 4 };

enum ipc_event { IPC_EVENT_NONE, IPC_EVENT_SENT, IPC_EVENT_RECEIVED, IPC_EVENT_FAILED };

struct ipc_log_entry {
    uint8_t event;
    uint8_t priority;
    uint8_t result;
    uint16_t sequence;
};

// The last events of one handle, oldest first. Belongs to one thread, so it needs no lock.
struct ipc_log {
    struct ipc_log_entry entries[IPC_LOG];
    uint8_t first;
    uint8_t count;
    uint16_t lost;
};

static void ipc_log_init(struct ipc_log *log) { memset(log, 0, sizeof *log); }

static void ipc_log_add(struct ipc_log *log, enum ipc_event event, uint8_t priority,
                        uint16_t sequence, enum ipc_result result) {
    struct ipc_log_entry entry = {(uint8_t)event, priority, (uint8_t)result, sequence};
    log->entries[(log->first + log->count) % IPC_LOG] = entry;
    if (log->count < IPC_LOG) {
        log->count++;
    } else {
        log->first = (uint8_t)((log->first + 1) % IPC_LOG);
        log->lost++;
    }
}

static const struct ipc_log_entry *ipc_log_at(const struct ipc_log *log, int at) {
    return at < log->count ? &log->entries[(log->first + at) % IPC_LOG] : 0;
}

static int ipc_log_count(const struct ipc_log *log, enum ipc_event event) {
    int found = 0;
    for (int i = 0; i < log->count; i++)
        found += ipc_log_at(log, i)->event == event;
    return found;
}

// Events of one kind and priority have growing numbers, and only failures have a reason.
static void ipc_log_verify(const struct ipc_log *log) {
    assert(log->count <= IPC_LOG && log->first < IPC_LOG);
    for (int i = 0; i < log->count; i++) {
        const struct ipc_log_entry *entry = ipc_log_at(log, i);
        assert(entry->event != IPC_EVENT_NONE && entry->priority < IPC_PRIORITIES);
        assert((entry->event == IPC_EVENT_FAILED) == (entry->result != IPC_OK));
        for (int k = i + 1; entry->event == IPC_EVENT_SENT && k < log->count; k++) {
            const struct ipc_log_entry *later = ipc_log_at(log, k);
            assert(later->event != IPC_EVENT_SENT || later->sequence > entry->sequence);
        }
    }
}

// ---- ports --------------------------------------------------------------------------------

enum { IPC_PORTS = 2, IPC_NAME = 12 };

enum ipc_rights { IPC_MAY_SEND = 1, IPC_MAY_RECEIVE = 2, IPC_MAY_CLOSE = 4 };

struct ipc_port {
    char name[IPC_NAME];
    uint8_t open;
    struct ipc_queue queue;
};

struct ipc {
    pthread_mutex_t mutex;
    struct ipc_pool pool;
    struct ipc_port ports[IPC_PORTS];
};

// What a thread holds of a port. The sequence counts what was sent through it.
struct ipc_handle {
    struct ipc *ipc;
    struct ipc_port *port;
    uint8_t rights;
    uint8_t who;
    uint16_t sequence;
    struct ipc_log log;
};

static void ipc_init(struct ipc *ipc) {
    pthread_mutex_init(&ipc->mutex, 0);
    ipc_pool_init(&ipc->pool);
    for (int i = 0; i < IPC_PORTS; i++) {
        memset(ipc->ports[i].name, 0, IPC_NAME);
        ipc->ports[i].open = 0;
        ipc_queue_init(&ipc->ports[i].queue);
    }
}

static int ipc_name_ok(const char *name) {
    size_t length = strlen(name);
    if (length == 0 || length >= IPC_NAME)
        return 0;
    for (size_t i = 0; i < length; i++)
        if (name[i] < '!' || name[i] > '~')
            return 0;
    return 1;
}

// With the mutex.
static struct ipc_port *ipc_find(struct ipc *ipc, const char *name) {
    for (int i = 0; i < IPC_PORTS; i++)
        if (ipc->ports[i].open && strcmp(ipc->ports[i].name, name) == 0)
            return &ipc->ports[i];
    return 0;
}

static enum ipc_result ipc_create(struct ipc *ipc, const char *name) {
    enum ipc_result result = IPC_NO_PORT;
    if (!ipc_name_ok(name))
        return IPC_BAD_ARGUMENT;
    pthread_mutex_lock(&ipc->mutex);
    if (ipc_find(ipc, name)) {
        result = IPC_EXISTS;
    } else {
        for (int i = 0; i < IPC_PORTS && result != IPC_OK; i++)
            if (!ipc->ports[i].open) {
                strcpy(ipc->ports[i].name, name);
                ipc->ports[i].open = 1;
                result = IPC_OK;
            }
    }
    pthread_mutex_unlock(&ipc->mutex);
    return result;
}

static enum ipc_result ipc_open(struct ipc *ipc, const char *name, uint8_t rights, uint8_t who,
                                struct ipc_handle *handle) {
    if (rights & ~(IPC_MAY_SEND | IPC_MAY_RECEIVE | IPC_MAY_CLOSE))
        return IPC_BAD_ARGUMENT;
    pthread_mutex_lock(&ipc->mutex);
    struct ipc_port *port = ipc_find(ipc, name);
    pthread_mutex_unlock(&ipc->mutex);
    if (!port)
        return IPC_NO_PORT;
    handle->ipc = ipc;
    handle->port = port;
    handle->rights = rights;
    handle->who = who;
    handle->sequence = 0;
    ipc_log_init(&handle->log);
    return IPC_OK;
}

static int ipc_may(const struct ipc_handle *handle, uint8_t right) {
    return (handle->rights & right) != 0;
}

// A buffer to write a message into; it belongs to the caller until it is sent or cancelled.
static enum ipc_result ipc_begin(struct ipc_handle *handle, enum ipc_type type,
                                 enum ipc_priority priority, int *buffer) {
    *buffer = IPC_NONE;
    if (!ipc_may(handle, IPC_MAY_SEND))
        return IPC_NO_RIGHT;
    if (type >= IPC_TYPES || priority >= IPC_PRIORITIES)
        return IPC_BAD_ARGUMENT;
    *buffer = ipc_pool_take(&handle->ipc->pool);
    if (*buffer == IPC_NONE)
        return IPC_NO_BUFFER;
    struct ipc_message *message = ipc_pool_message(&handle->ipc->pool, *buffer);
    message->type = (uint8_t)type;
    message->priority = (uint8_t)priority;
    message->sender = handle->who;
    message->sequence = handle->sequence;
    return IPC_OK;
}

static void ipc_cancel(struct ipc_handle *handle, int buffer) {
    ipc_pool_give(&handle->ipc->pool, buffer);
}

static enum ipc_result ipc_submit(struct ipc_handle *handle, int buffer, int wait) {
    struct ipc_pool *pool = &handle->ipc->pool;
    struct ipc_queue *queue = &handle->port->queue;
    struct ipc_message *message = ipc_pool_message(pool, buffer);
    enum ipc_priority priority = (enum ipc_priority)message->priority;
    ipc_message_seal(message);
    pool->buffers[buffer].owner = IPC_QUEUED;
    enum ipc_result result = wait ? ipc_queue_send(queue, priority, buffer)
                                  : ipc_queue_try_send(queue, priority, buffer);
    ipc_log_add(&handle->log, result == IPC_OK ? IPC_EVENT_SENT : IPC_EVENT_FAILED,
                (uint8_t)priority, handle->sequence, result);
    if (result == IPC_OK) {
        handle->sequence++;
    } else {
        pool->buffers[buffer].owner = IPC_WRITING;
        ipc_cancel(handle, buffer);
    }
    return result;
}

static enum ipc_result ipc_take(struct ipc_handle *handle, struct ipc_message *message, int wait) {
    struct ipc_pool *pool = &handle->ipc->pool;
    struct ipc_queue *queue = &handle->port->queue;
    int buffer = IPC_NONE;
    if (!ipc_may(handle, IPC_MAY_RECEIVE))
        return IPC_NO_RIGHT;
    enum ipc_result result =
        wait ? ipc_queue_receive(queue, &buffer) : ipc_queue_try_receive(queue, &buffer);
    if (result != IPC_OK)
        return result;
    assert(pool->buffers[buffer].owner == IPC_QUEUED);
    pool->buffers[buffer].owner = IPC_READING;
    result = ipc_message_check(ipc_pool_message(pool, buffer));
    if (result == IPC_OK)
        ipc_message_copy(message, ipc_pool_message(pool, buffer));
    if (result == IPC_OK)
        ipc_log_add(&handle->log, IPC_EVENT_RECEIVED, message->priority, message->sequence, IPC_OK);
    ipc_pool_give(pool, buffer);
    return result;
}

// Answers a request: a message of the same priority that names what it answers.
static enum ipc_result ipc_answer(struct ipc_handle *handle, const struct ipc_message *request,
                                  const void *data, uint8_t size) {
    int buffer = IPC_NONE;
    if (request->type != IPC_REQUEST || size > IPC_PAYLOAD)
        return IPC_BAD_ARGUMENT;
    enum ipc_result result =
        ipc_begin(handle, IPC_REPLY, (enum ipc_priority)request->priority, &buffer);
    if (result != IPC_OK)
        return result;
    struct ipc_message *reply = ipc_pool_message(&handle->ipc->pool, buffer);
    reply->answers = request->sequence;
    reply->length = size;
    memcpy(reply->payload, data, size);
    return ipc_submit(handle, buffer, 0);
}

static enum ipc_result ipc_close(struct ipc_handle *handle) {
    if (!ipc_may(handle, IPC_MAY_CLOSE))
        return IPC_NO_RIGHT;
    ipc_queue_close(&handle->port->queue);
    return IPC_OK;
}

static enum ipc_result ipc_destroy(struct ipc *ipc, const char *name) {
    pthread_mutex_lock(&ipc->mutex);
    struct ipc_port *port = ipc_find(ipc, name);
    if (port)
        port->open = 0;
    pthread_mutex_unlock(&ipc->mutex);
    if (!port)
        return IPC_NO_PORT;
    ipc_queue_close(&port->queue);
    ipc_queue_flush(&port->queue, &ipc->pool);
    return IPC_OK;
}

// Called without other threads.
static void ipc_verify(const struct ipc *ipc) {
    ipc_pool_verify(&ipc->pool);
    int queued = 0;
    for (int i = 0; i < IPC_PORTS; i++) {
        ipc_queue_verify(&ipc->ports[i].queue, &ipc->pool);
        queued += ipc->ports[i].queue.count;
    }
    assert(queued + ipc->pool.available <= IPC_BUFFERS);
}

// ---- what the threads say to each other ---------------------------------------------------

struct report {
    uint8_t sender;
    uint8_t urgent;
    uint16_t number;
    uint32_t checksum;
    char label[6];
};

static void report_fill(struct report *report, uint8_t sender, uint16_t number) {
    report->sender = sender;
    report->urgent = number % 2 == 1;
    report->number = number;
    report->checksum = 0x01000193u * (sender + 1u) ^ number;
    strcpy(report->label, report->urgent ? "alarm" : "value");
}

static enum ipc_result report_encode(const struct report *report, struct ipc_message *message) {
    struct ipc_writer writer = ipc_write(message);
    ipc_put_u8(&writer, report->sender);
    ipc_put_u16(&writer, report->number);
    ipc_put_u32(&writer, report->checksum);
    ipc_put_text(&writer, report->label);
    return writer.result;
}

static enum ipc_result report_decode(struct report *report, const struct ipc_message *message) {
    struct ipc_reader reader = ipc_read(message);
    report->sender = ipc_get_u8(&reader);
    report->number = ipc_get_u16(&reader);
    report->checksum = ipc_get_u32(&reader);
    ipc_get_text(&reader, report->label, sizeof report->label);
    report->urgent = message->priority == IPC_URGENT;
    return ipc_at_end(&reader) ? IPC_OK : IPC_BAD_MESSAGE;
}

static void report_check(const struct report *report, const struct ipc_message *message) {
    struct report expected;
    report_fill(&expected, message->sender, report->number);
    assert(report->sender == expected.sender && report->urgent == expected.urgent);
    assert(report->checksum == expected.checksum);
    assert(strcmp(report->label, expected.label) == 0);
}

static enum ipc_result report_send(struct ipc_handle *handle, const struct report *report) {
    int buffer = IPC_NONE;
    enum ipc_priority priority = report->urgent ? IPC_URGENT : IPC_NORMAL;
    enum ipc_result result = ipc_begin(handle, IPC_DATA, priority, &buffer);
    if (result != IPC_OK)
        return result;
    result = report_encode(report, ipc_pool_message(&handle->ipc->pool, buffer));
    if (result != IPC_OK) {
        ipc_cancel(handle, buffer);
        return result;
    }
    return ipc_submit(handle, buffer, 1);
}

// ---- the threads --------------------------------------------------------------------------

static struct ipc ipc;
static const char port_name[] = "telemetry";

static void *sender(void *number) {
    struct ipc_handle handle;
    uint8_t who = (uint8_t)(uintptr_t)number;
    enum ipc_result result = ipc_open(&ipc, port_name, IPC_MAY_SEND, who, &handle);
    assert(result == IPC_OK);
    for (uint16_t i = 0; i < MESSAGES; i++) {
        struct report report;
        report_fill(&report, who, i);
        result = report_send(&handle, &report);
        assert(result == IPC_OK);
    }
    assert(handle.sequence == MESSAGES);
    assert(ipc_log_count(&handle.log, IPC_EVENT_FAILED) == 0);
    ipc_log_verify(&handle.log);
    return 0;
}

// Messages of one sender and one priority come in the order in which they were sent.
static void check_order(const struct ipc_message *message, int next[SENDERS][IPC_PRIORITIES]) {
    assert(message->sender < SENDERS);
    int *expected = &next[message->sender][message->priority];
    assert(message->sequence >= *expected);
    *expected = message->sequence + 1;
}

static void *receiver(void *unused) {
    struct ipc_handle handle;
    int next[SENDERS][IPC_PRIORITIES] = {{0}};
    enum ipc_result result =
        ipc_open(&ipc, port_name, IPC_MAY_RECEIVE | IPC_MAY_CLOSE, IPC_NOBODY, &handle);
    assert(result == IPC_OK);
    for (int i = 0; i < SENDERS * MESSAGES; i++) {
        struct ipc_message message;
        struct report report;
        ipc_message_clear(&message);
        result = ipc_take(&handle, &message, 1);
        assert(result == IPC_OK);
        result = report_decode(&report, &message);
        assert(result == IPC_OK);
        report_check(&report, &message);
        check_order(&message, next);
    }
    result = ipc_close(&handle);
    assert(result == IPC_OK);
    ipc_log_verify(&handle.log);
    assert(handle.log.count + handle.log.lost == SENDERS * MESSAGES);
    return unused;
}

// What a single thread can try before there are others.
static void try_out(void) {
    struct ipc_handle handle;
    struct ipc_message message;
    enum ipc_type type = IPC_TYPES;
    int buffer = IPC_NONE;
    assert(strcmp(ipc_result_name(IPC_EXISTS), "exists") == 0);
    assert(ipc_create(&ipc, "") == IPC_BAD_ARGUMENT);
    assert(ipc_create(&ipc, "trial") == IPC_OK);
    assert(ipc_create(&ipc, "trial") == IPC_EXISTS);
    assert(ipc_open(&ipc, "nobody", IPC_MAY_SEND, 0, &handle) == IPC_NO_PORT);
    assert(ipc_open(&ipc, "trial", IPC_MAY_RECEIVE, 0, &handle) == IPC_OK);
    assert(ipc_begin(&handle, IPC_DATA, IPC_BULK, &buffer) == IPC_NO_RIGHT);
    assert(ipc_take(&handle, &message, 0) == IPC_EMPTY);
    assert(ipc_open(&ipc, "trial", IPC_MAY_SEND, 0, &handle) == IPC_OK);
    assert(ipc_begin(&handle, IPC_REQUEST, IPC_BULK, &buffer) == IPC_OK);
    ipc_pool_message(&ipc.pool, buffer)->length = 0;
    assert(ipc_submit(&handle, buffer, 0) == IPC_OK);
    assert(ipc_queue_peek(&handle.port->queue, &ipc.pool, &type) == IPC_OK && type == IPC_REQUEST);
    handle.rights |= IPC_MAY_RECEIVE;
    assert(ipc_take(&handle, &message, 0) == IPC_OK && message.type == IPC_REQUEST);
    assert(ipc_answer(&handle, &message, "yes", 3) == IPC_OK);
    assert(ipc_answer(&handle, &message, "no", IPC_PAYLOAD + 1) == IPC_BAD_ARGUMENT);
    assert(ipc_log_count(&handle.log, IPC_EVENT_SENT) == 2);
    assert(ipc_destroy(&ipc, "trial") == IPC_OK);
    assert(ipc_destroy(&ipc, "trial") == IPC_NO_PORT);
    ipc_verify(&ipc);
}

int main(void) {
    pthread_t senders[SENDERS], reads;
    ipc_init(&ipc);
    try_out();
    assert(ipc_create(&ipc, "spare") == IPC_OK);
    for (int i = 0; i < IPC_PORTS; i++)
        ipc_queue_init(&ipc.ports[i].queue);
    assert(ipc_destroy(&ipc, "spare") == IPC_OK);
    for (int i = 0; i < IPC_PORTS; i++)
        ipc_queue_init(&ipc.ports[i].queue);
    assert(ipc_create(&ipc, port_name) == IPC_OK);
    pthread_create(&reads, 0, receiver, 0);
    for (int i = 0; i < SENDERS; i++)
        pthread_create(&senders[i], 0, sender, (void *)(uintptr_t)i);
    for (int i = 0; i < SENDERS; i++)
        pthread_join(senders[i], 0);
    pthread_join(reads, 0);
    ipc_verify(&ipc);
    assert(ipc.pool.available == IPC_BUFFERS);
    assert(ipc_destroy(&ipc, port_name) == IPC_OK);
    return 0;
}
