import ConfigProvider from 'antd/es/config-provider'
import { useLayoutEffect, type ReactNode } from 'react'
import { Notices } from './Notices.tsx'
import { createTheme } from './theme.ts'
import { useThemeChoice } from './themeChoice.ts'
import './ui.css'

// The browser hides a nonce from the attribute, not from the property.
const pageNonce = (): string | undefined =>
  document.querySelector<HTMLElement>('script[nonce], style[nonce]')?.nonce || undefined

/** Colours, density, the page's CSP nonce and the notices: stands around the page, once. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const { mode } = useThemeChoice()
  const nonce = pageNonce()
  // What is drawn by plain CSS follows the same choice.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = mode
  }, [mode])
  return (
    <ConfigProvider theme={createTheme(mode)} {...(nonce ? { csp: { nonce } } : {})}>
      {children}
      <Notices />
    </ConfigProvider>
  )
}
