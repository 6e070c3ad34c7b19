// The only entry to the router: a second copy would have a second context, so remotes never import react-router-dom.
export {
  Link,
  Navigate,
  NavLink,
  Route,
  Routes,
  useLocation,
  useNavigate,
  useParams,
  useSearchParams,
} from 'react-router-dom'
export { AppRouter } from './AppRouter.tsx'
export { GuestRouter, type GuestRouterProps } from './GuestRouter.tsx'
export { ownRoot, type Mount, type OwnPage } from './ownRoot.tsx'
export type { RemoteProps } from './RemoteProps.ts'
export { returnTo, toReturnState } from './returnTo.ts'
/** @deprecated since 1.2: `returnTo` and `toReturnState`. Released remotes call them at run time. */
export { returnTo as wantedPath, toReturnState as wanting } from './returnTo.ts'
