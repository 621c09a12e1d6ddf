import {
  type CSSVariablesResolver,
  convertCssVariables,
  createTheme,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  type MantineColorsTuple,
  mergeMantineTheme,
} from '@mantine/core';

/** One accent; its shade 8 carries white text at more than 7 : 1 in both themes. */
const accent: MantineColorsTuple = [
  '#eaf4fb',
  '#d3e6f4',
  '#a6cde9',
  '#7fb8e0',
  '#559fd4',
  '#3488c6',
  '#2073ad',
  '#195f91',
  '#144f7a',
  '#0d3a5b',
];

/** The greys of the dark theme lean to blue as its surfaces in base.css do: what cannot be pressed stays readable on them. */
const dark: MantineColorsTuple = [
  '#eef2f5',
  '#d3dae0',
  '#b4bfc9',
  '#8b98a4',
  '#3a434c',
  '#343d46',
  '#262d35',
  '#1d2329',
  '#191e23',
  '#14181c',
];

/** Sizes 14 / 16 / 20 / 28 / 72 (the amount on Sell alone), spaces in steps of eight pixels. */
export const theme = createTheme({
  colors: { accent, dark },
  primaryColor: 'accent',
  primaryShade: 8,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.875rem', sm: '0.875rem', md: '1rem', lg: '1.25rem', xl: '1.75rem' },
  spacing: { xs: '0.5rem', sm: '0.5rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.75rem' }, h2: { fontSize: '1.25rem' }, h3: { fontSize: '1rem' } },
  },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // The page's own scroll bar stays: locking it would move what lies under the dialog, and needs an inline style.
    Modal: { defaultProps: { lockScroll: false, centered: true, transitionProps: { duration: 100 } } },
    Drawer: { defaultProps: { lockScroll: false, transitionProps: { duration: 100 } } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Menu: { defaultProps: { transitionProps: { duration: 100 } } },
  },
});

/** Mantine's own names for what base.css defines, so that both themes have one home for their colours. */
const named = {
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-quiet)',
  '--mantine-color-placeholder': 'var(--text-quiet)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line)',
  // A notice: its sentence would be too pale to read in Mantine's own shades.
  '--mantine-color-yellow-light': 'var(--warn-surface)',
  '--mantine-color-yellow-light-color': 'var(--warn)',
  '--mantine-color-red-light': 'var(--bad-surface)',
  '--mantine-color-red-light-color': 'var(--bad)',
  // What only tells: the ground's own colour would be no box on the ground.
  '--mantine-color-gray-light': 'var(--info-surface)',
  '--mantine-color-gray-light-color': 'var(--text)',
} as const;

const resolver: CSSVariablesResolver = (merged) => {
  const { variables, light, dark } = defaultCssVariablesResolver(merged);
  return { variables, light: { ...light, ...named }, dark: { ...dark, ...named } };
};

/**
 * Puts the theme's variables into the document as a constructed sheet: unlike the style element that Mantine would write, it needs no exception in
 * the content security policy.
 */
export function adoptThemeVariables(target: Document): void {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(convertCssVariables(resolver(merged), ':root'));
  target.adoptedStyleSheets = [...target.adoptedStyleSheets, sheet];
}
