import { Secret } from '../domain/secret.ts';
import type { Candidate } from '../ports/terminal-finder.ts';
import type { Handlers } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { createTerminalKeeper } from './terminal-keeper.ts';

type SearchHandlers = Pick<
  Handlers,
  'terminals.ports' | 'terminals.search' | 'terminals.stopSearch' | 'terminals.test' | 'terminals.add'
>;

/** What ZVT terminals come with. */
const FACTORY_PASSWORD = '000000';

/** The wizard that finds a terminal, tries it without money, and adds it. */
export function createTerminalSearchHandlers({ settingsStore, terminalSetup }: ConsoleDeps): SearchHandlers {
  const { finder } = terminalSetup;
  const keeper = createTerminalKeeper(settingsStore, terminalSetup);
  /** One search for each browser: a new one ends the one before. */
  const searches = new Map<string, AbortController>();

  function begin(sessionId: string): AbortController {
    searches.get(sessionId)?.abort();
    const search = new AbortController();
    searches.set(sessionId, search);
    return search;
  }

  function end(sessionId: string, search: AbortController): void {
    if (searches.get(sessionId) === search) searches.delete(sessionId);
  }

  function usedBy(line: string): { usedBy?: string } {
    const terminalId = settingsStore.current().terminals.find(({ url }) => finder.lineOf(url) === line)?.terminalId;
    return terminalId === undefined ? {} : { usedBy: terminalId };
  }

  return {
    async 'terminals.ports'() {
      const [ports, { readers, problem }] = await Promise.all([finder.serialPorts(), finder.readers()]);
      return {
        ports: ports.map((port) => ({ ...port, ...usedBy(port.path) })),
        readers: readers.map((reader) => ({ ...reader, ...usedBy(reader.address) })),
        ...(problem === undefined ? {} : { readersProblem: problem }),
      };
    },
    async 'terminals.search'({ sessionId }, request) {
      const candidate = candidateOf(request);
      keeper.requireFree(candidate);
      const search = begin(sessionId);
      try {
        return await finder.search(candidate, search.signal);
      } catch (error) {
        if (search.signal.aborted) return { kind: 'STOPPED' };
        throw error;
      } finally {
        end(sessionId, search);
      }
    },
    'terminals.stopSearch'({ sessionId }) {
      searches.get(sessionId)?.abort();
      return {};
    },
    async 'terminals.test'({ sessionId }, request) {
      const candidate = candidateOf(request);
      keeper.requireFree(candidate);
      const search = begin(sessionId);
      try {
        return await finder.test(candidate, search.signal);
      } catch (error) {
        if (search.signal.aborted) return { isReady: false };
        throw error;
      } finally {
        end(sessionId, search);
      }
    },
    'terminals.add': (_call, { name, isDefault, ...request }) =>
      keeper.add({ ...candidateOf(request), name, isDefault }),
  };
}

function candidateOf({
  line,
  protocol,
  lrc,
  password = FACTORY_PASSWORD,
  currency,
}: Omit<Candidate, 'password'> & { password?: string }): Candidate {
  return {
    line,
    ...(protocol === undefined ? {} : { protocol }),
    ...(lrc === undefined ? {} : { lrc }),
    password: new Secret(password),
    currency,
  };
}
