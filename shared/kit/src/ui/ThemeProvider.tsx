import { useEffect, useLayoutEffect, type ReactNode } from 'react'
import { Notices } from './Notices.tsx'
import { useThemeChoice } from './themeChoice.ts'
import './ui.css'

/** Provides colours and the notices. Wraps the page, once. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const { mode } = useThemeChoice()
  // Plain CSS follows the same choice through this attribute.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = mode
  }, [mode])
  // Behind the first drawing, in which a stand-in has its place.
  useEffect(() => void import('./face.css').catch(() => undefined), [])
  return (
    <>
      {children}
      <Notices />
    </>
  )
}
