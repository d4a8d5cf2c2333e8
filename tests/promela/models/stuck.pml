/* Both wait for the other's message. */
chan ab = [1] of { byte };
chan ba = [1] of { byte };

active proctype a() { byte x; ba?x; ab!1 }
active proctype b() { byte x; ab?x; ba!1 }
