import { onForbidden } from '@dmp/kit'
import { useEffect, useState, type ReactNode } from 'react'
import { createBrowserRouter, RouterProvider, useNavigate, useRouteError } from 'react-router-dom'

/** The router around the whole page, once. Routes are written in full inside, as `<Routes>`. */
export function AppRouter({ children }: { children: ReactNode }) {
  // A data router, because no other can ask before the person leaves with unsaved changes (P27).
  const [router] = useState(() => createBrowserRouter(createRoutes(children)))
  return <RouterProvider router={router} />
}

/** The one route that contains everything; it passes errors on to the boundaries around the router. */
export function createRoutes(children: ReactNode) {
  return [{ path: '*', element: <ForbiddenRedirect>{children}</ForbiddenRedirect>, ErrorBoundary: RethrowError }]
}

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
