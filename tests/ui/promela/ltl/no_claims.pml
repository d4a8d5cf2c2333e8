// verdict: holds
// states: 3
// exeunt: --no-claims
// The formula is violated, but nobody asks for it; "holds" says so.
bool done

ltl ends { <> done }

active proctype P() {
    do
    :: done = false
    :: break
    od
}
