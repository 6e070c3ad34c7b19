import { onForbidden } from '@dmp/kit'
import { useEffect, useState, type ReactNode } from 'react'
import { RouterProvider, UNSAFE_createBrowserHistory, useNavigate, useRouteError } from 'react-router-dom'
import { PageRouter, type History } from './PageRouter.ts'

/** The router around the whole page, once. Routes are written in full inside, as `<Routes>`. */
export function AppRouter({ children }: { children: ReactNode }) {
  const [router] = useState(() => createAppRouter(UNSAFE_createBrowserHistory({ window }), children))
  return <RouterProvider router={router.asDataRouter} />
}

/** The router of one route that contains everything; it passes errors on to the boundaries around the router. */
export const createAppRouter = (history: History, children: ReactNode): PageRouter =>
  new PageRouter(history, <ForbiddenRedirect>{children}</ForbiddenRedirect>, <RethrowError />)

function RethrowError(): ReactNode {
  throw useRouteError()
}

// 8.01: a refused call leads to the not-authorized page, wherever the call was made.
function ForbiddenRedirect({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  // Calls do not know the router.
  useEffect(() => onForbidden((path) => void navigate(path)), [navigate])
  return children
}
