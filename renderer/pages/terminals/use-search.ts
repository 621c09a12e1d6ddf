import { useState } from 'react';
import type { ProcedureRequest, ProcedureResponse } from '../../../app/contract/console/procedures.ts';
import type { TerminalProtocol } from '../../../app/contract/console/terminals.ts';
import type { ConsoleApi } from '../../api/console.ts';
import { useConsole } from '../../hooks/console-context.ts';

export type SearchRequest = ProcedureRequest<'terminals.search'>;
type Found = Extract<ProcedureResponse<'terminals.search'>, { kind: 'FOUND' }>;
type NotFound = Extract<ProcedureResponse<'terminals.search'>, { kind: 'NOT_FOUND' }>;

/** Where the search is: one step after the other, each with its own time. */
export type SearchState =
  | { readonly phase: 'FORM' }
  | { readonly phase: 'ASKING'; readonly request: SearchRequest }
  | { readonly phase: 'TESTING'; readonly request: SearchRequest }
  | { readonly phase: 'NOT_FOUND'; readonly request: SearchRequest; readonly answer: NotFound }
  | { readonly phase: 'STOPPED' }
  | { readonly phase: 'FAILED'; readonly error: unknown }
  | {
      readonly phase: 'FOUND';
      readonly request: SearchRequest;
      readonly protocol: TerminalProtocol;
      /** Only that something listens there is known. */
      readonly isUnproven: boolean;
      readonly test: ProcedureResponse<'terminals.test'>;
    };

/** Speeds at which terminals and readers on cables stand, each kind's commonest first. */
const BAUD_RATES = [9_600, 115_200] as const;
const READER_BAUD_RATES = [115_200, 9_600] as const;

/** Asks at one place, over a serial line at one speed after the other; what answers is tried without money. */
export function useSearch() {
  const api = useConsole();
  const [state, setState] = useState<SearchState>({ phase: 'FORM' });
  const isBusy = state.phase === 'ASKING' || state.phase === 'TESTING';
  return {
    state,
    isBusy,
    start: (request: SearchRequest) =>
      search(api, request, setState).catch((error: unknown) => setState({ phase: 'FAILED', error })),
    stop: () => void api.call('terminals.stopSearch', {}),
    back: () => setState({ phase: 'FORM' }),
  };
}

async function search(api: ConsoleApi, first: SearchRequest, tell: (state: SearchState) => void): Promise<void> {
  let notFound: NotFound | undefined;
  for (const request of variantsOf(first)) {
    tell({ phase: 'ASKING', request });
    const answer = await api.call('terminals.search', request);
    if (answer.kind === 'STOPPED') return tell({ phase: 'STOPPED' });
    if (answer.kind === 'FOUND') return testFound(api, request, answer, tell);
    notFound = moreTelling(notFound, answer);
    // Another speed cannot open what does not open.
    if (answer.problem !== 'NO_ANSWER' && answer.problem !== 'NOT_READABLE') break;
  }
  if (notFound !== undefined) tell({ phase: 'NOT_FOUND', request: first, answer: notFound });
}

/** What was found belongs into the terminal's address. */
async function testFound(
  api: ConsoleApi,
  searched: SearchRequest,
  { protocol, lrc, isUnproven = false }: Found,
  tell: (state: SearchState) => void,
): Promise<void> {
  const request = { ...searched, protocol, ...(lrc === undefined ? {} : { lrc }) };
  tell({ phase: 'TESTING', request });
  const test = await api.call('terminals.test', request);
  tell({ phase: 'FOUND', request, protocol, isUnproven, test });
}

function variantsOf(request: SearchRequest): SearchRequest[] {
  const { line, protocol } = request;
  if (line.kind !== 'SERIAL') return [request];
  const baudRates = protocol === 'NEO2' ? READER_BAUD_RATES : BAUD_RATES;
  return baudRates.map((baudRate) => ({ ...request, line: { ...line, baudRate } }));
}

/** Bytes that cannot be read say more than silence. */
function moreTelling(before: NotFound | undefined, next: NotFound): NotFound {
  return before?.problem === 'NOT_READABLE' && next.problem === 'NO_ANSWER' ? before : next;
}
