import { type TerminalView, terminalProtocolNames } from '../../../app/contract/console/terminals.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import styles from './terminals-page.module.css';

type Operation = TerminalView['capabilities']['operations'][number];

const operationTexts: Readonly<Record<string, TextKey>> = {
  SALE: 'terminals:can.SALE',
  REFUND: 'terminals:can.REFUND',
  VOID: 'terminals:can.VOID',
  PRE_AUTH: 'terminals:can.PRE_AUTH',
  PRE_AUTH_COMPLETE: 'terminals:can.PRE_AUTH_COMPLETE',
  CARD_READ: 'terminals:can.CARD_READ',
  BALANCE_INQUIRY: 'terminals:can.BALANCE_INQUIRY',
  DAY_CLOSE: 'terminals:can.DAY_CLOSE',
  DISPLAY: 'terminals:can.DISPLAY',
  INPUT: 'terminals:can.INPUT',
  PRINT: 'terminals:can.PRINT',
  GRANULAR: 'terminals:can.GRANULAR',
};

/** As people write it; a driver's own word where there is none. */
function protocolName(protocol: string): string {
  const names: Readonly<Record<string, string>> = terminalProtocolNames;
  return names[protocol] ?? protocol;
}

/** What is known of a terminal; what it does not tell is left out. */
export function TerminalFacts({
  terminal,
  address,
}: {
  readonly terminal: TerminalView;
  readonly address: string | undefined;
}) {
  const { t } = useTexts();
  const localTime = useLocalTime();
  const { status, capabilities, protocol, currency } = terminal;
  const word = (operation: Operation) => {
    const text = operationTexts[operation];
    return text === undefined ? operation : t(text);
  };
  const can = [...capabilities.operations.map(word), ...(capabilities.cashback ? [t('terminals:can.cashback')] : [])];
  const signal = status.connectivity?.signalStrength;
  const facts: readonly (readonly [TextKey, string | undefined])[] = [
    ['terminals:fact.doing', doingText()],
    ['terminals:fact.protocol', protocolName(protocol)],
    ['terminals:fact.address', address],
    ['terminals:fact.number', status.serialNumber],
    ['terminals:fact.firmware', status.firmwareVersion],
    ['terminals:fact.currency', currency],
    ['terminals:fact.battery', status.batteryLevel === undefined ? undefined : `${status.batteryLevel} %`],
    ['terminals:fact.signal', signal === undefined ? undefined : `${signal} dBm`],
    ['terminals:fact.lastSeen', status.lastSeenAt === undefined ? undefined : localTime(status.lastSeenAt)],
    ['terminals:fact.can', can.join(', ')],
  ];

  function doingText(): string {
    if (!status.connected) return t('terminals:doing.unreachable');
    return t(status.state === 'BUSY' ? 'terminals:doing.payment' : 'terminals:doing.nothing');
  }

  return (
    <dl className={styles.facts}>
      {facts.map(([label, value]) =>
        value === undefined ? null : (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
