import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { queryClient } from '../transport/queryClient.ts'
import { loadClient } from '../transport/request.ts'

/** Wraps the whole page, once. */
export function DataProvider({ children }: { children: ReactNode }) {
  // Behind the first drawing, whose calls the page has made by itself: what is asked next waits for nothing.
  useEffect(() => void loadClient().catch(() => undefined), [])
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
