/* Figure 10 of Kuntz, Leue and Scheben, a data transfer protocol: W grows. */
/* expect: violated grows W 1 */
mtype = { ini, ack, dreq, data, shutup, quiet, dead };

chan M = [100] of { mtype };
chan W = [100] of { mtype };

active proctype Mproc() {
  W!ini; M?ack;
  timeout ->
  if
  :: W!shutup
  :: W!dreq;
     M?data ->
     do
     :: W!data
     :: W!shutup; break
     od
  fi;
  M?shutup; W!quiet; M?dead
}

active proctype Wproc() {
  W?ini; M!ack;
  do
  :: W?dreq -> M!data
  :: W?data -> skip
  :: W?shutup -> M!shutup; break
  od;
  W?quiet; M!dead
}
