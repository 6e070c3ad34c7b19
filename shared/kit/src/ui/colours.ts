/**
 * The colours of dialogs, which the library draws; those of everything else stand in `ui.css`, and
 * `scripts/checks/colours.test.ts` compares them. `theme.test.tsx` measures each pair for WCAG AA.
 */
export const colours = {
  light: {
    page: '#f5f7fa',
    card: '#ffffff',
    text: '#1b2430',
    quiet: '#566070',
    border: '#c9d1dc',
    primary: '#0958d9',
    pointed: '#1765e0',
    outline: '#1765e0',
    link: '#0958d9',
    success: '#237804',
    warning: '#874d00',
    danger: '#cf1322',
    onDanger: '#ffffff',
    /** Of buttons: what antd makes of `danger`. */
    dangerControl: '#cf1322',
    dangerHover: '#db373f',
    placeholder: '#667080',
    tints: {
      success: ['#f0f9eb', '#9ccf87'],
      warning: ['#fff7e3', '#e0b04f'],
      danger: ['#fff1f0', '#f0a29d'],
      info: ['#eef4ff', '#9dbff8'],
    },
  },
  dark: {
    page: '#0f141b',
    card: '#181f29',
    text: '#e6eaf0',
    quiet: '#a3adba',
    border: '#3a4554',
    primary: '#1d63d8',
    pointed: '#2468dd',
    outline: '#a8cbff',
    link: '#7db2ff',
    success: '#6fcf4f',
    warning: '#f0b429',
    danger: '#ff7875',
    onDanger: '#0f141b',
    dangerControl: '#dc6966',
    dangerHover: '#e89590',
    placeholder: '#8e99a8',
    tints: {
      success: ['#16301a', '#37703a'],
      warning: ['#32270e', '#80621f'],
      danger: ['#391a1d', '#84373b'],
      info: ['#14263f', '#34598f'],
    },
  },
} as const

export type Mode = keyof typeof colours
