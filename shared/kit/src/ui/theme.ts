import theme from 'antd/es/theme'
import type { ThemeConfig } from 'antd/es/config-provider'

/** Colours that antd's defaults miss WCAG AA with, replaced; `theme.test.tsx` measures each pair. */
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

const toTintTokens = ({ success, warning, danger, info }: (typeof colours)[Mode]['tints']) => ({
  colorSuccessBg: success[0],
  colorSuccessBorder: success[1],
  colorWarningBg: warning[0],
  colorWarningBorder: warning[1],
  colorErrorBg: danger[0],
  colorErrorBorder: danger[1],
  colorInfoBg: info[0],
  colorInfoBorder: info[1],
})

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif'

/**
 * The antd theme. The CSS variable key and the missing hash are fixed, so that styles can be extracted at build time.
 */
export function createTheme(mode: Mode): ThemeConfig {
  const c = colours[mode]
  return {
    algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    cssVar: { key: 'dmp' },
    hashed: false,
    token: {
      fontFamily: font,
      fontSize: 14,
      borderRadius: 6,
      sizeUnit: 4,
      motionDurationMid: '0.15s',
      colorPrimary: c.primary,
      colorInfo: c.primary,
      colorLink: c.link,
      colorLinkHover: c.link,
      colorSuccess: c.success,
      colorWarning: c.warning,
      colorError: c.danger,
      colorErrorText: c.danger,
      // antd derives muddy backgrounds from seeds this dark.
      ...toTintTokens(c.tints),
      colorTextBase: c.text,
      colorText: c.text,
      colorTextSecondary: c.quiet,
      colorTextTertiary: c.quiet,
      colorTextDescription: c.quiet,
      colorTextPlaceholder: c.placeholder,
      colorBgLayout: c.page,
      colorBgContainer: c.card,
      colorBgElevated: c.card,
      colorBorder: c.border,
    },
    components: {
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        // Hover colours: filled buttons first, then text and border of the others.
        colorPrimaryHover: c.pointed,
        defaultHoverColor: c.outline,
        defaultHoverBorderColor: c.outline,
        defaultActiveColor: c.outline,
        defaultActiveBorderColor: c.outline,
        // In dark mode red is light, and so are the shades that antd derives from it, except for the pressed one.
        dangerColor: c.onDanger,
        ...(mode === 'dark' ? { colorPrimary: c.primary, defaultBg: c.card, colorErrorActive: c.danger } : {}),
      },
      Table: {
        cellPaddingBlockMD: 10,
        headerBg: mode === 'dark' ? '#1f2835' : '#eef2f7',
        headerSplitColor: 'transparent',
      },
    },
  }
}
