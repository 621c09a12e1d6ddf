import { Alert, Button, Checkbox, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DaySchedule } from '../../../app/contract/console/day.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { useChangeDaySettings } from './use-day.ts';

const everyDay = ['1', '2', '3', '4', '5', '6', '7'] as const;
const eveningClose = '23:00';

export interface ScheduleFormProps {
  readonly settings: DaySchedule['settings'];
  readonly onClose: () => void;
}

/** Whether, when and on which days the till closes by itself, and whether cash is counted. */
export function ScheduleForm({ settings, onClose }: ScheduleFormProps) {
  const { t, formats } = useTexts();
  const refusalText = useRefusalText();
  const { schedule } = settings;
  const [isOn, setIsOn] = useState(schedule !== undefined);
  const [time, setTime] = useState(schedule?.time ?? eveningClose);
  const [days, setDays] = useState<string[]>(schedule?.days?.map(String) ?? [...everyDay]);
  const [isBlind, setIsBlind] = useState(settings.blindCashCount);
  const change = useChangeDaySettings(onClose);
  const isComplete = !isOn || (time !== '' && days.length > 0);
  // 1 January 2024 was a Monday.
  const weekday = formats.dateTime({ weekday: 'long', timeZone: 'UTC' });
  return (
    <SidePanel title={t('day:schedule.title')} isOpen onClose={onClose} width="420px">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const chosen = days.map(Number).sort();
          change.start({
            blindCashCount: isBlind,
            ...(isOn ? { schedule: { time, ...(chosen.length === everyDay.length ? {} : { days: chosen }) } } : {}),
          });
        }}
      >
        <Stack gap="lg">
          <Switch
            size="lg"
            label={t('day:schedule.enabled')}
            checked={isOn}
            onChange={(event) => setIsOn(event.currentTarget.checked)}
          />
          <TextInput
            type="time"
            label={t('day:schedule.time')}
            value={time}
            disabled={!isOn}
            onChange={(event) => setTime(event.currentTarget.value)}
          />
          <Checkbox.Group label={t('day:schedule.days')} value={days} onChange={setDays}>
            <Stack gap={0} mt="xs">
              {everyDay.map((day) => (
                <Checkbox
                  key={day}
                  value={day}
                  size="md"
                  py={10}
                  disabled={!isOn}
                  label={weekday.format(new Date(Date.UTC(2024, 0, Number(day))))}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Switch
            size="lg"
            label={t('day:schedule.blind')}
            checked={isBlind}
            onChange={(event) => setIsBlind(event.currentTarget.checked)}
          />
          {change.error === null ? null : (
            <Alert color="yellow" role="alert" title={refusalText(change.error).sentence} />
          )}
          <Group justify="flex-end">
            <Button type="submit" size="lg" disabled={!isComplete} loading={change.isBusy && !change.dialog.isOpen}>
              {t('day:schedule.save')}
            </Button>
          </Group>
        </Stack>
      </form>
      <ConfirmWithPin title={t('day:schedule.title')} text={t('day:schedule.approve')} {...change.dialog} />
    </SidePanel>
  );
}
