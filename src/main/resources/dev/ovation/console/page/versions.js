/* The versions of the rules, and the way back to one. */

import { call, get } from "./api.js";
import { h, load, section, table, time } from "./dom.js";
import { changeList, preview } from "./impact.js";

export const title = "Versions";

const PAGE = 20;

export function show(place, signal) {
  const news = h("p", { role: "status", class: "news" });
  const list = h("div");
  const result = h("div");
  const older = h("div");

  const rollBack = (version) =>
    load(result, async () => {
      const dry = await call("POST", "configuration/rollback", { query: { version, dry_run: true }, signal });
      return section(
        `Back to version ${version}`,
        preview(dry.content, `Put the rules of version ${version} in force`, async (acceptLoss) => {
          const { content } = await call("POST", "configuration/rollback", {
            query: { version, accept_loss: acceptLoss },
            headers: { "If-Match": dry.headers.get("ETag") },
          });
          await again(`The rules of version ${version} are in force as version ${content.version}.`);
        }),
      );
    }).then(() => result.scrollIntoView({ block: "nearest" }));

  const button = (version, isNewest) =>
    isNewest ? "newest" : h("button", { type: "button", onclick: () => rollBack(version) }, `Roll back to ${version}`);

  function page(cursor, into, isFirst) {
    return load(into, async () => {
      const read = await get("configuration/versions", { limit: PAGE, cursor }, signal);
      const rows = read.versions.map((each, index) => [
        String(each.version),
        time(each.applied_at),
        each.applied_by ?? "",
        each.source,
        changeList(each.changes),
        button(each.version, isFirst && index === 0),
      ]);
      older.replaceChildren();
      if (read.next_cursor) {
        const next = () => {
          const more = h("div");
          list.append(more);
          page(read.next_cursor, more, false);
        };
        older.append(h("p", { class: "actions" }, h("button", { type: "button", onclick: next }, "Older versions")));
      }
      return table("Versions", ["Version", "Applied", "By", "Source", "Changes", "Action"], rows);
    });
  }

  async function again(message) {
    news.textContent = message;
    result.replaceChildren();
    const first = h("div");
    list.replaceChildren(first);
    await page("", first, true);
  }

  place.append(news, result, section("Newest first", list, older));
  again("");
}
