// Pictures of key views, compared with those that are kept beside the expected views. A picture is kept at a fifth of its
// size, so letters are grey, and what is seen is where things stand and which colours they have.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const SMALLER = 5;
// A point differs if one of its colours does by so much, of 255.
const DIFFERS = 32;
// So many of ten thousand points may differ: another letter is no other picture.
const MANY = 15;

// The page with fonts that are the same on every machine, in a file beside it.
export function withFonts(file, require) {
  const fonts = dirname(require.resolve("dejavu-fonts-ttf/package.json"));
  const face = (name, weight, style, font) => `@font-face { font-family: "${name}"; font-weight: ${weight}; font-style: ${style}; src: url("${pathToFileURL(join(fonts, "ttf", font)).href}"); }`;
  const faces = [
    face("probe", 400, "normal", "DejaVuSans.ttf"),
    face("probe", 700, "normal", "DejaVuSans-Bold.ttf"),
    face("probe mono", 400, "normal", "DejaVuSansMono.ttf"),
    face("probe mono", 700, "normal", "DejaVuSansMono-Bold.ttf"),
    face("probe mono", 400, "italic", "DejaVuSansMono-Oblique.ttf"),
  ];
  const text = readFileSync(file, "utf8").replaceAll("system-ui", '"probe"').replaceAll("ui-monospace", '"probe mono"');
  const copy = file.replace(/\.html$/, ".fonts.html");
  writeFileSync(copy, text.replace("<style>", `<style>\n${faces.join("\n")}\n`));
  return copy;
}

// Compares pictures within a page of their own, which decodes them.
export class Pictures {
  constructor(page, folder) {
    Object.assign(this, { page, folder });
  }

  // What differs between a picture and the expected one, in words; nothing if they are the same for the eye.
  async compare(name, picture, bless) {
    const file = `${this.folder}/${name}.png`;
    if (bless) writeFileSync(file, await this.smaller(picture));
    if (!existsSync(file)) return `there is no picture ${file}`;
    const { size, differ } = await this.difference(picture, readFileSync(file));
    if (size) return `its size is another one: ${size}`;
    return differ > MANY ? `${differ} of 10000 points differ from ${file}` : null;
  }

  async smaller(picture) {
    const url = await this.page.evaluate(async ([data, smaller]) => (await shrunken(data, smaller)).toDataURL("image/png"), [picture.toString("base64"), SMALLER]);
    return Buffer.from(url.split(",")[1], "base64");
  }

  // How many of ten thousand points differ between a picture and a small one.
  async difference(picture, small) {
    return await this.page.evaluate(async ([one, other, smaller, differs]) => {
      const pictures = [await shrunken(one, smaller), await shrunken(other, 1)];
      const [a, b] = pictures.map((canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height));
      if (a.width !== b.width || a.height !== b.height) return { size: `${a.width}x${a.height}, not ${b.width}x${b.height}` };
      let points = 0;
      for (let at = 0; at < a.data.length; at += 4) if ([0, 1, 2].some((part) => Math.abs(a.data[at + part] - b.data[at + part]) > differs)) points += 1;
      return { differ: Math.ceil((points * 40000) / a.data.length) };
    }, [picture.toString("base64"), small.toString("base64"), SMALLER, DIFFERS]);
  }

  static async open(browser, folder) {
    const page = await browser.newPage();
    await page.evaluate(() => {
      globalThis.shrunken = async (data, smaller) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        let [canvas, left] = [image, smaller];
        // In one go, points between would be left out.
        do {
          const by = Math.min(2, left);
          const next = document.createElement("canvas");
          [next.width, next.height] = [Math.round(canvas.width / by), Math.round(canvas.height / by)];
          const context = next.getContext("2d");
          context.imageSmoothingQuality = "high";
          context.drawImage(canvas, 0, 0, next.width, next.height);
          [canvas, left] = [next, left / by];
        } while (left > 1);
        return canvas;
      };
    });
    return new Pictures(page, folder);
  }
}
