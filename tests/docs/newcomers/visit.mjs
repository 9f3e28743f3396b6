// Opens an address in a browser, as a person does: gives the token where the page asks for it, and
// waits until the page shows a text.
//
// usage: SCRATCHPAGE_TOKEN=… visit.mjs PACKAGES URL TEXT
import {browserOf} from "../../web/household.mjs";

const [packages, url, text] = process.argv.slice(2);
const browser = await browserOf(packages);
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.getByLabel("Token").fill(process.env.SCRATCHPAGE_TOKEN);
  await page.getByRole("button", {name: "Sign in"}).click();
  await page.getByText(text).first().waitFor();
} finally {
  await browser.close();
}
