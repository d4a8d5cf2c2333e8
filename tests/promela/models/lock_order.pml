/* Two locks taken in opposite orders. */
bool m, n;

inline lock(l) { atomic { !l -> l = true } }
inline unlock(l) { l = false }

active proctype p() { lock(m); lock(n); unlock(n); unlock(m) }
active proctype q() { lock(n); lock(m); unlock(m); unlock(n) }
