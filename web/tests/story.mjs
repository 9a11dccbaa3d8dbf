/** One way through the dashboard: `node tests/story.mjs NAME LINK [JOBS]`. */
import { browse } from './browser.mjs';

const [, , name, link, facts = '{}'] = process.argv;
const { story } = await import(`./stories/${name}.mjs`);
await browse((browser) => story(browser, link, JSON.parse(facts)));
