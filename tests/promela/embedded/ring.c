/* A ring of three places. With RING_BUG its end is forgotten. */
#define RING 3
#ifdef RING_BUG
#define WRAP (RING + 1)
#else
#define WRAP RING
#endif
struct ring {
	int first, count;
	int data[RING];
};
static struct ring ring;

static void ring_put(int value) {
	ring.data[(ring.first + ring.count) % WRAP] = value;
	ring.count++;
}

static int ring_get(void) {
	int value = ring.data[ring.first];
	ring.data[ring.first] = 0;
	ring.first = (ring.first + 1) % WRAP;
	ring.count--;
	return value;
}
