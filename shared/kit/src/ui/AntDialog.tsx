import ConfigProvider from 'antd/es/config-provider'
import AntModal from 'antd/es/modal'
import type { ModalProps } from 'antd/es/modal'
import { direction } from '@dmp/kit'
import { CloseOutlined } from './icons.tsx'
import { createTheme } from './theme.ts'
import { useThemeChoice } from './themeChoice.ts'

// Browsers hide the nonce from the attribute but not from the property.
const pageNonce = (): string | undefined =>
  document.querySelector<HTMLElement>('script[nonce], style[nonce]')?.nonce || undefined

/** The dialog is there, or it is gone: no moment in which it grows and a click on it goes astray. */
const withoutMotion = { transitionName: '', maskTransitionName: '' }
const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** The library's dialog in our colours. It is all that is drawn by antd, and comes apart from the first script. */
export function AntDialog(props: ModalProps) {
  const { mode } = useThemeChoice()
  const nonce = pageNonce()
  return (
    <ConfigProvider direction={direction()} theme={createTheme(mode)} {...(nonce ? { csp: { nonce } } : {})}>
      <AntModal
        {...props}
        {...(isStill() ? withoutMotion : {})}
        closeIcon={<CloseOutlined />}
        closable={props.closable !== false && { 'aria-label': 'Close' }}
      />
    </ConfigProvider>
  )
}
