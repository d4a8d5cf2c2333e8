/* The escape is possible from the start. */
/* expect: holds */
chan c = [2] of { byte };
chan stop = [2] of { byte };

active proctype P() {
  stop!1;
  do
  :: c!1
  od unless { stop?1 }
}
