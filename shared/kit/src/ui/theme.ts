import theme from 'antd/es/theme'
import type { ThemeConfig } from 'antd/es/config-provider'
import { colours, type Mode } from './colours.ts'

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

/** `typeface.css` names the typefaces. */
const font = 'var(--dmp-font, system-ui, sans-serif)'

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
