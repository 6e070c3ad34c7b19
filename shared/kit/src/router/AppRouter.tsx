import { onForbidden } from '@dmp/kit'
import { useEffect, useState, type ReactNode } from 'react'
import { createBrowserRouter, RouterProvider, useNavigate, useRouteError } from 'react-router-dom'

/** The router around the whole page, once. Routes are written in full inside, as `<Routes>`. */
export function AppRouter({ children }: { children: ReactNode }) {
  // A data router, because only those can ask before somebody leaves with something unsaved (P27).
  const [router] = useState(() => createBrowserRouter(createRoutes(children)))
  return <RouterProvider router={router} />
}

/** The one route that holds everything; its own error page gives way to the rings around the router. */
export function createRoutes(children: ReactNode) {
  return [{ path: '*', element: <ForbiddenRedirect>{children}</ForbiddenRedirect>, ErrorBoundary: RethrowError }]
}

function RethrowError(): ReactNode {
  throw useRouteError()
}

// 8.01: a refused call leads to the not-authorized page, wherever it was made.
function ForbiddenRedirect({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  // Calls know nothing of the router.
  useEffect(() => onForbidden((path) => void navigate(path)), [navigate])
  return children
}
