// verdict: holds
// states: 3
// exeunt: --property safety
// The formula is violated, but nobody asks for it; "holds" says so.
bool done

ltl ends { <> done }

active proctype P() {
    do
    :: done = false
    :: break
    od
}
