import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ProcedureResponse } from '../../../app/contract/console/procedures.ts';
import { useConsole } from '../../hooks/console-context.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { SearchRequest } from './use-search.ts';

type Line = SearchRequest['line'];
type Reader = ProcedureResponse<'terminals.ports'>['readers'][number];

export interface ReaderChoiceProps {
  readonly line: Line | undefined;
  readonly onChange: (line: Line | undefined) => void;
}

/** The card readers that are plugged in. */
export function ReaderChoice({ line, onChange }: ReaderChoiceProps) {
  const { t } = useTexts();
  const api = useConsole();
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['terminals.ports'],
    queryFn: () => api.call('terminals.ports', {}),
  });
  const readers = data?.readers ?? [];
  const chosen = readers.find((reader) => isSame(lineOf(reader), line));
  return (
    <Stack gap="sm">
      <Radio.Group
        size="md"
        label={t('terminals:wizard.readers')}
        value={chosen?.address ?? ''}
        onChange={(address) => {
          const reader = readers.find((one) => one.address === address);
          onChange(reader === undefined ? undefined : lineOf(reader));
        }}
      >
        <Stack gap="sm" mt="xs">
          {readers.map(({ address, description, usedBy }) => (
            <Radio
              key={address}
              value={address}
              size="md"
              disabled={usedBy !== undefined}
              label={description ?? address}
              description={[
                ...(description === undefined ? [] : [address]),
                ...(usedBy === undefined ? [] : [t('terminals:wizard.usedBy', { terminal: usedBy })]),
              ].join(' · ')}
            />
          ))}
        </Stack>
      </Radio.Group>
      {readers.length === 0 && !isFetching ? <Text>{t('terminals:wizard.noReaders')}</Text> : null}
      {data?.readersProblem === undefined ? null : <Text className="code">{data.readersProblem}</Text>}
      <Group>
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          {t('terminals:wizard.lookAgain')}
        </Button>
      </Group>
    </Stack>
  );
}

function lineOf({ vendorId, productId, serialNumber }: Reader): Line {
  return { kind: 'HID', vendorId, productId, ...(serialNumber === undefined ? {} : { serialNumber }) };
}

function isSame(left: Line, right: Line | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
