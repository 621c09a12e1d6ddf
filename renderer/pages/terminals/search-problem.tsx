import { Alert, Stack, Text } from '@mantine/core';
import { type SearchProblem as Problem, terminalProtocolNames } from '../../../app/contract/console/terminals.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import type { SearchState } from './use-search.ts';

const problemTexts = {
  REFUSED: 'terminals:problem.REFUSED',
  NO_ROUTE: 'terminals:problem.NO_ROUTE',
  NAME_NOT_FOUND: 'terminals:problem.NAME_NOT_FOUND',
  SILENT: 'terminals:problem.SILENT',
  NO_SUCH_PORT: 'terminals:problem.NO_SUCH_PORT',
  PORT_IN_USE: 'terminals:problem.PORT_IN_USE',
  NO_PERMISSION: 'terminals:problem.NO_PERMISSION',
  NO_ANSWER: 'terminals:problem.NO_ANSWER',
  NOT_READABLE: 'terminals:problem.NOT_READABLE',
  FOREIGN: 'terminals:problem.FOREIGN',
  REFUSES: 'terminals:problem.REFUSES',
  NO_DRIVER: 'terminals:problem.NO_DRIVER',
  OTHER: 'terminals:problem.OTHER',
} as const satisfies Record<Problem, TextKey>;

/** Why nothing was found, and what to do next; nothing while there is no problem. */
export function SearchProblem({ state }: { readonly state: SearchState }) {
  const { t } = useTexts();
  const refusalText = useRefusalText();
  if (state.phase === 'STOPPED') return <Alert color="gray">{t('terminals:problem.stopped')}</Alert>;
  if (state.phase === 'FAILED') return <Alert color="yellow" role="alert" title={refusalText(state.error).sentence} />;
  if (state.phase !== 'NOT_FOUND') return null;
  const { problem, holder, command, answeredBy, words } = state.answer;
  const { line, protocol } = state.request;
  const asked = protocol === undefined ? '' : terminalProtocolNames[protocol];
  const mayBeCaisseAp = problem === 'NO_ANSWER' && line.kind === 'TCP' && protocol === undefined;
  const sentence =
    holder === undefined
      ? t(problem === 'FOREIGN' && protocol === undefined ? 'terminals:problem.unknown' : problemTexts[problem], {
          answeredBy: answeredBy ?? '',
          asked,
        })
      : t('terminals:problem.heldBy', { holder });
  return (
    <Alert color="yellow" role="alert" title={sentence} data-testid="search-problem">
      <Stack gap="xs">
        {mayBeCaisseAp ? <Text>{t('terminals:problem.mayBeCaisseAp')}</Text> : null}
        {command === undefined ? null : <code>{command}</code>}
        <Text className="code">{words}</Text>
      </Stack>
    </Alert>
  );
}
