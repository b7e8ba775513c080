// node check.mjs SLACK.json TEAMS.json: says what is wrong with a message for Slack, by the types of @slack/types, and with one for Teams, by
// Microsoft's own reader of adaptive cards. Exit status 1 if anything is.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import ts from 'typescript';

// Its modules name each other without an ending, which only bundlers understand.
const { AdaptiveCard, SerializationContext, Version } = createRequire(import.meta.url)('adaptivecards/dist/adaptivecards.js');

const [slack, teams] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'));
const wrong = [];

writeFileSync('message.ts', `import type { KnownBlock } from '@slack/types';
export const message: { text: string; blocks: KnownBlock[] } = ${slack};
`);
const program = ts.createProgram(['message.ts'], { noEmit: true, strict: true, skipLibCheck: true, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, target: ts.ScriptTarget.ES2022 });
for (const each of ts.getPreEmitDiagnostics(program)) wrong.push(`slack: ${ts.flattenDiagnosticMessageText(each.messageText, ' ')}`);

const message = JSON.parse(teams);
for (const { contentType, content } of message.attachments) {
  if (message.type !== 'message' || contentType !== 'application/vnd.microsoft.card.adaptive') wrong.push('teams: no adaptive card');
  const read = new SerializationContext(new Version(1, 4));
  const card = new AdaptiveCard();
  card.parse(content, read);
  for (let i = 0; i < read.eventCount; ++i) wrong.push(`teams: ${read.getEventAt(i).message}`);
  for (const each of card.validateProperties().validationEvents) wrong.push(`teams: ${each.message}`);
  if (card.getItemCount() !== content.body.length) wrong.push('teams: parts of it are unknown');
}
wrong.forEach((each) => console.log(each));
process.exit(wrong.length > 0 ? 1 : 0);
