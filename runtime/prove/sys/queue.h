/* <sys/queue.h> as `exeunt prove` sees it: types and names are those of the system, what
 * the macros do is told to the prover as operations on the length of a list. */
#include_next <sys/queue.h>

#ifndef EXEUNT_PROVE_QUEUE_H
#define EXEUNT_PROVE_QUEUE_H

#ifdef __cplusplus
extern "C" {
#endif
void exeunt_list_init(void *list);
void exeunt_list_push(void *list, void *element);
void exeunt_list_drop(void *list);
void exeunt_list_remove(void *element);
void exeunt_list_change(void *list);
void exeunt_list_append(void *to, void *from);
void *exeunt_list_first(void *list);
int exeunt_list_is_empty(void *list);
long exeunt_list_length(void *list);
long exeunt_list_version(void *list);
long nondet_exeunt_list(void);
#ifdef __cplusplus
}
#endif

/* A walk sees at most the elements that were there when it began. If something was added since,
 * nothing is known about how many are left. */
#define EXEUNT_WALK(var, head, first)                                                           \
    for (long exeunt_left = exeunt_list_length(head), exeunt_seen = exeunt_list_version(head);  \
         exeunt_left > 0 &&                                                                     \
         (((var) = (__typeof__(first))exeunt_list_first(head)) != NULL);                        \
         exeunt_left = exeunt_list_version(head) == exeunt_seen                                 \
                           ? exeunt_left - 1                                                    \
                           : (exeunt_seen = exeunt_list_version(head), nondet_exeunt_list()))

#undef LIST_INIT
#undef LIST_EMPTY
#undef LIST_FIRST
#undef LIST_INSERT_HEAD
#undef LIST_INSERT_AFTER
#undef LIST_INSERT_BEFORE
#undef LIST_REMOVE
#undef LIST_FOREACH
#undef LIST_FOREACH_SAFE
#define LIST_INIT(head) exeunt_list_init(head)
#define LIST_EMPTY(head) exeunt_list_is_empty(head)
#define LIST_FIRST(head) ((__typeof__((head)->lh_first))exeunt_list_first(head))
#define LIST_INSERT_HEAD(head, elm, field) exeunt_list_push(head, elm)
#define LIST_REMOVE(elm, field) exeunt_list_remove(elm)
#define LIST_FOREACH(var, head, field) EXEUNT_WALK(var, head, (head)->lh_first)
#define LIST_FOREACH_SAFE(var, head, field, next) EXEUNT_WALK(var, head, (head)->lh_first)

#undef SLIST_INIT
#undef SLIST_EMPTY
#undef SLIST_FIRST
#undef SLIST_INSERT_HEAD
#undef SLIST_REMOVE_HEAD
#undef SLIST_REMOVE
#undef SLIST_FOREACH
#undef SLIST_FOREACH_SAFE
#define SLIST_INIT(head) exeunt_list_init(head)
#define SLIST_EMPTY(head) exeunt_list_is_empty(head)
#define SLIST_FIRST(head) ((__typeof__((head)->slh_first))exeunt_list_first(head))
#define SLIST_INSERT_HEAD(head, elm, field) exeunt_list_push(head, elm)
#define SLIST_REMOVE_HEAD(head, field) exeunt_list_drop(head)
#define SLIST_REMOVE(head, elm, type, field) exeunt_list_drop(head)
#define SLIST_FOREACH(var, head, field) EXEUNT_WALK(var, head, (head)->slh_first)
#define SLIST_FOREACH_SAFE(var, head, field, next) EXEUNT_WALK(var, head, (head)->slh_first)

#undef STAILQ_INIT
#undef STAILQ_EMPTY
#undef STAILQ_FIRST
#undef STAILQ_INSERT_HEAD
#undef STAILQ_INSERT_TAIL
#undef STAILQ_INSERT_AFTER
#undef STAILQ_REMOVE_HEAD
#undef STAILQ_REMOVE
#undef STAILQ_FOREACH
#undef STAILQ_FOREACH_SAFE
#undef STAILQ_CONCAT
#define STAILQ_INIT(head) exeunt_list_init(head)
#define STAILQ_EMPTY(head) exeunt_list_is_empty(head)
#define STAILQ_FIRST(head) ((__typeof__((head)->stqh_first))exeunt_list_first(head))
#define STAILQ_INSERT_HEAD(head, elm, field) exeunt_list_push(head, elm)
#define STAILQ_INSERT_TAIL(head, elm, field) exeunt_list_push(head, elm)
#define STAILQ_INSERT_AFTER(head, listelm, elm, field) exeunt_list_push(head, elm)
#define STAILQ_REMOVE_HEAD(head, field) exeunt_list_drop(head)
#define STAILQ_REMOVE(head, elm, type, field) exeunt_list_drop(head)
#define STAILQ_FOREACH(var, head, field) EXEUNT_WALK(var, head, (head)->stqh_first)
#define STAILQ_FOREACH_SAFE(var, head, field, next) EXEUNT_WALK(var, head, (head)->stqh_first)
#define STAILQ_CONCAT(to, from) exeunt_list_append(to, from)

#undef SIMPLEQ_INIT
#undef SIMPLEQ_EMPTY
#undef SIMPLEQ_FIRST
#undef SIMPLEQ_INSERT_HEAD
#undef SIMPLEQ_INSERT_TAIL
#undef SIMPLEQ_INSERT_AFTER
#undef SIMPLEQ_REMOVE_HEAD
#undef SIMPLEQ_REMOVE
#undef SIMPLEQ_FOREACH
#define SIMPLEQ_INIT(head) exeunt_list_init(head)
#define SIMPLEQ_EMPTY(head) exeunt_list_is_empty(head)
#define SIMPLEQ_FIRST(head) ((__typeof__((head)->sqh_first))exeunt_list_first(head))
#define SIMPLEQ_INSERT_HEAD(head, elm, field) exeunt_list_push(head, elm)
#define SIMPLEQ_INSERT_TAIL(head, elm, field) exeunt_list_push(head, elm)
#define SIMPLEQ_INSERT_AFTER(head, listelm, elm, field) exeunt_list_push(head, elm)
#define SIMPLEQ_REMOVE_HEAD(head, field) exeunt_list_drop(head)
#define SIMPLEQ_REMOVE(head, elm, type, field) exeunt_list_drop(head)
#define SIMPLEQ_FOREACH(var, head, field) EXEUNT_WALK(var, head, (head)->sqh_first)

#undef TAILQ_INIT
#undef TAILQ_EMPTY
#undef TAILQ_FIRST
#undef TAILQ_LAST
#undef TAILQ_INSERT_HEAD
#undef TAILQ_INSERT_TAIL
#undef TAILQ_INSERT_AFTER
#undef TAILQ_INSERT_BEFORE
#undef TAILQ_REMOVE
#undef TAILQ_FOREACH
#undef TAILQ_FOREACH_SAFE
#undef TAILQ_CONCAT
#define TAILQ_INIT(head) exeunt_list_init(head)
#define TAILQ_EMPTY(head) exeunt_list_is_empty(head)
#define TAILQ_FIRST(head) ((__typeof__((head)->tqh_first))exeunt_list_first(head))
#define TAILQ_LAST(head, headname) ((__typeof__((head)->tqh_first))exeunt_list_first(head))
#define TAILQ_INSERT_HEAD(head, elm, field) exeunt_list_push(head, elm)
#define TAILQ_INSERT_TAIL(head, elm, field) exeunt_list_push(head, elm)
#define TAILQ_INSERT_AFTER(head, listelm, elm, field) exeunt_list_push(head, elm)
#define TAILQ_REMOVE(head, elm, field) exeunt_list_drop(head)
#define TAILQ_FOREACH(var, head, field) EXEUNT_WALK(var, head, (head)->tqh_first)
#define TAILQ_FOREACH_SAFE(var, head, field, next) EXEUNT_WALK(var, head, (head)->tqh_first)
#define TAILQ_CONCAT(to, from, field) exeunt_list_append(to, from)

#endif
