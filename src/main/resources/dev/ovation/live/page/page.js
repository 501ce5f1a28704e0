/* The posts of the demo: made up here, their reactions are real. */

const USERS = ["ann", "ben", "cleo", "dan", "eve", "finn"];
const POSTS = 300;
const TEXTS = [
  "The first train over the new bridge leaves at six.",
  "Who has a good recipe for rhubarb?",
  "The heron is back at the pond behind the library.",
  "Our team won by one point, in the last second.",
  "I have finished the map of all drinking fountains in town.",
  "The old cinema opens again, with the seats of 1962.",
  "Someone has left a piano in the park, and it is in tune.",
];

const asked = new URLSearchParams(location.search).get("user");
const user = asked || USERS[0];
const users = USERS.includes(user) ? USERS : [user, ...USERS];

const select = document.getElementById("user");
select.append(...users.map((each) => new Option(each, each, each === user, each === user)));
select.addEventListener("change", () => (location.search = `?user=${encodeURIComponent(select.value)}`));
const other = users[(users.indexOf(user) + 1) % users.length];
document.getElementById("second").href = `?user=${encodeURIComponent(other)}`;

function post(number) {
  const title = document.createElement("h2");
  title.textContent = `Post ${number}`;
  const text = document.createElement("p");
  text.textContent = TEXTS[number % TEXTS.length];
  const reactions = document.createElement("ovation-reactions");
  reactions.setAttribute("namespace", "posts");
  reactions.setAttribute("entity", `demo-${number}`);
  reactions.setAttribute("user", user);
  const article = document.createElement("article");
  article.append(title, text, reactions);
  const item = document.createElement("li");
  item.append(article);
  return item;
}

document.getElementById("posts").append(...Array.from({ length: POSTS }, (_, index) => post(index + 1)));
