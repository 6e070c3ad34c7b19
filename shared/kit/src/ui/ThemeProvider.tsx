import ConfigProvider from 'antd/es/config-provider'
import { direction } from '@dmp/kit'
import { useLayoutEffect, type ReactNode } from 'react'
import { Notices } from './Notices.tsx'
import { createTheme } from './theme.ts'
import { useThemeChoice } from './themeChoice.ts'
import './ui.css'

// Browsers hide the nonce from the attribute but not from the property.
const pageNonce = (): string | undefined =>
  document.querySelector<HTMLElement>('script[nonce], style[nonce]')?.nonce || undefined

/** Provides colours, density, the page's CSP nonce and the notices. Wraps the page, once. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const { mode } = useThemeChoice()
  const nonce = pageNonce()
  // Plain CSS follows the same choice through this attribute.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = mode
  }, [mode])
  return (
    <ConfigProvider direction={direction()} theme={createTheme(mode)} {...(nonce ? { csp: { nonce } } : {})}>
      {children}
      <Notices />
    </ConfigProvider>
  )
}
