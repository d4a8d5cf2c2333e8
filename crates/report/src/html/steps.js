// Steps through the schedule of each violation: the present step, its source
// line, and where every other thread stands.
for (const violation of document.querySelectorAll(".violation")) {
  const rows = [...violation.querySelectorAll("tr.step")];
  const buttons = violation.querySelector(".buttons");
  let present = -1;

  const show = (index) => {
    if (rows.length === 0) return;
    present = Math.max(0, Math.min(index, rows.length - 1));
    for (const old of violation.querySelectorAll(".now, .here")) old.classList.remove("now", "here");
    for (const badge of violation.querySelectorAll(".line i")) badge.textContent = "";
    const places = new Map();
    for (const row of rows.slice(0, present + 1)) places.set(row.dataset.thread, row.dataset.line);
    for (const [thread, id] of places) {
      const line = document.getElementById(id);
      if (!line) continue;
      line.classList.add("here");
      line.querySelector("i").textContent += " " + thread;
    }
    const row = rows[present];
    row.classList.add("now");
    row.scrollIntoView({ block: "nearest" });
    const line = document.getElementById(row.dataset.line);
    if (line) {
      line.classList.add("now");
      line.scrollIntoView({ block: "nearest" });
    }
  };

  const button = (text, target) => {
    const element = document.createElement("button");
    element.textContent = text;
    element.addEventListener("click", () => show(target()));
    buttons.append(element);
  };
  button("first", () => 0);
  button("back", () => present - 1);
  button("next", () => present + 1);
  button("last", () => rows.length - 1);
  rows.forEach((row, index) => row.addEventListener("click", () => show(index)));
  violation.tabIndex = 0;
  violation.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: present - 1, ArrowRight: present + 1, Home: 0, End: rows.length - 1 };
    if (event.key in moves) {
      event.preventDefault();
      show(moves[event.key]);
    }
  });
}
