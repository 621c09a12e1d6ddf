import { MAX_CALL_TIMEOUT_SECONDS } from '../../../app/contract/limits.ts';

/** What every program needs to say to charge a card; all texts below are made of it and of nothing else. */
export interface FirstRequest {
  /** Where the POS API listens, http://127.0.0.1:8443. */
  readonly posUrl: string;
  readonly apiKey: string;
  readonly terminalId: string;
  /** ISO 4217, the terminal's own. */
  readonly currency: string;
  readonly amountMinor: number;
  /** For curl. The programs make a key for each sale. */
  readonly idempotencyKey: string;
}

/** Stands where the key belongs until there is one. */
export const keyPlaceholder = 'YOUR_POS_KEY';

export const programLanguages = ['curl', 'fetch', 'websocket', 'python', 'csharp'] as const;
export type ProgramLanguage = (typeof programLanguages)[number];

/** Seconds that a program waits: longer than the till does, so that it hears what became of the money. */
const waitSeconds = MAX_CALL_TIMEOUT_SECONDS + 10;

/** A first sale as a program of its own. */
export function firstRequestText(language: ProgramLanguage, request: FirstRequest): string {
  return writers[language](request);
}

const writers: Readonly<Record<ProgramLanguage, (request: FirstRequest) => string>> = {
  curl: curlText,
  fetch: fetchText,
  websocket: webSocketText,
  python: pythonText,
  csharp: csharpText,
};

function saleUrl({ posUrl }: FirstRequest): string {
  return `${posUrl}/v1/transaction/sale`;
}

function saleBody({ amountMinor, currency }: FirstRequest): string {
  return JSON.stringify({ type: 'SALE', amount: amountMinor, currency });
}

/** As JavaScript, Python and C# all read it. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** In one line and in double quotes, as both sh and the command prompt of Windows read it. */
function curlText(request: FirstRequest): string {
  const inShell = (text: string) => `"${text.replace(/["\\$`]/g, '\\$&')}"`;
  const headers = [
    'Content-Type: application/json',
    `X-Api-Key: ${request.apiKey}`,
    `X-Terminal-Id: ${request.terminalId}`,
    `Idempotency-Key: ${request.idempotencyKey}`,
  ];
  const parts = [...headers.map((header) => `-H ${inShell(header)}`), `-d ${inShell(saleBody(request))}`];
  return `curl ${inShell(saleUrl(request))} ${parts.join(' ')}`;
}

function fetchText(request: FirstRequest): string {
  return `// One key for each sale. After a broken line, send the same one again: nothing is charged twice.
const idempotencyKey = crypto.randomUUID();
const answer = await fetch(${quoted(saleUrl(request))}, {
  method: "POST",
  headers: {
    "Content-Type": "application/json",
    "X-Api-Key": ${quoted(request.apiKey)},
    "X-Terminal-Id": ${quoted(request.terminalId)},
    "Idempotency-Key": idempotencyKey,
  },
  body: JSON.stringify(${saleBody(request)}),
});
const sale = await answer.json();
// 200 is not approval: read the status.
console.log(sale.status ?? sale.error, sale);
`;
}

function webSocketText(request: FirstRequest): string {
  const { apiKey, amountMinor, currency, terminalId } = request;
  const sale = JSON.stringify({ action: 'sale', amount: amountMinor, currency, terminalId }).slice(1, -1);
  return `const socket = new WebSocket(${quoted(`${request.posUrl.replace('http', 'ws')}/v1/session`)});
// One for each sale; the events of this sale carry it.
const requestId = crypto.randomUUID();
socket.onopen = () => {
  socket.send(JSON.stringify({ action: "auth", token: ${quoted(apiKey)} }));
  socket.send(JSON.stringify({ ${sale}, requestId, idempotencyKey: requestId }));
};
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.requestId !== requestId) return;
  console.log(message.event, message);
  if (message.event === "result" || message.event === "error") socket.close();
};
`;
}

function pythonText(request: FirstRequest): string {
  const { amountMinor, currency } = request;
  return `import json
import urllib.error
import urllib.request
import uuid

# One key for each sale. After a broken line, send the same one again: nothing is charged twice.
idempotency_key = str(uuid.uuid4())
request = urllib.request.Request(
    ${quoted(saleUrl(request))},
    data=json.dumps({"type": "SALE", "amount": ${amountMinor}, "currency": ${quoted(currency)}}).encode(),
    headers={
        "Content-Type": "application/json",
        "X-Api-Key": ${quoted(request.apiKey)},
        "X-Terminal-Id": ${quoted(request.terminalId)},
        "Idempotency-Key": idempotency_key,
    },
)
try:
    with urllib.request.urlopen(request, timeout=${waitSeconds}) as answer:
        sale = json.load(answer)
except urllib.error.HTTPError as refusal:
    sale = json.load(refusal)
# 200 is not approval: read the status.
print(sale.get("status", sale.get("error")), sale)
`;
}

function csharpText(request: FirstRequest): string {
  return `using System;
using System.Net.Http;
using System.Text;

// A sale lasts as long as the customer takes.
using var http = new HttpClient { Timeout = TimeSpan.FromSeconds(${waitSeconds}) };
using var sale = new HttpRequestMessage(HttpMethod.Post, ${quoted(saleUrl(request))});
sale.Headers.Add("X-Api-Key", ${quoted(request.apiKey)});
sale.Headers.Add("X-Terminal-Id", ${quoted(request.terminalId)});
// One key for each sale. After a broken line, send the same one again: nothing is charged twice.
sale.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString());
sale.Content = new StringContent(${quoted(saleBody(request))}, Encoding.UTF8, "application/json");
using var answer = await http.SendAsync(sale);
// 200 is not approval: read "status".
Console.WriteLine(await answer.Content.ReadAsStringAsync());
`;
}
