import { useTexts } from '../../hooks/use-texts.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Sizes and lengths of time in the language that is shown. */
export function useSizes() {
  const { formats } = useTexts();
  return {
    bytes(count: number): string {
      const step = Math.min(units.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3));
      const format = { style: 'unit', unit: units[step] ?? 'byte', maximumFractionDigits: step === 0 ? 0 : 1 } as const;
      return formats.number(format).format(count / 1000 ** step);
    },
    duration(seconds: number): string {
      const parts = (
        [
          ['day', Math.floor(seconds / 86_400)],
          ['hour', Math.floor(seconds / 3600) % 24],
          ['minute', Math.floor(seconds / 60) % 60],
        ] as const
      ).filter(([unit, value]) => value > 0 || unit === 'minute');
      return parts
        .map(([unit, value]) => formats.number({ style: 'unit', unit, unitDisplay: 'short' }).format(value))
        .join(' ');
    },
  };
}
