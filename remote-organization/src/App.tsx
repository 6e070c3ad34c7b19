import { lazy } from 'react'
import { Route, Routes, type RemoteProps } from '@dmp/kit/router'
import { OrganizationListScreen } from './list/OrganizationListScreen.tsx'

// The list is opened every day, the rest now and then.
const OrganizationAddScreen = lazy(() =>
  import('./add/OrganizationAddScreen.tsx').then((module) => ({ default: module.OrganizationAddScreen })),
)
const OrganizationAssignSaasScreen = lazy(() =>
  import('./assign-saas/OrganizationAssignSaasScreen.tsx').then((module) => ({
    default: module.OrganizationAssignSaasScreen,
  })),
)
const OrganizationDetailScreen = lazy(() =>
  import('./detail/OrganizationDetailScreen.tsx').then((module) => ({ default: module.OrganizationDetailScreen })),
)
const OwnOrganizationScreen = lazy(() =>
  import('./own/OwnOrganizationScreen.tsx').then((module) => ({ default: module.OwnOrganizationScreen })),
)
const OwnOrganizationEditScreen = lazy(() =>
  import('./own/OwnOrganizationEditScreen.tsx').then((module) => ({ default: module.OwnOrganizationEditScreen })),
)
const OrganizationSetupScreen = lazy(() =>
  import('./setup/OrganizationSetupScreen.tsx').then((module) => ({ default: module.OrganizationSetupScreen })),
)
const OrganizationExportScreen = lazy(() =>
  import('./export/OrganizationExportScreen.tsx').then((module) => ({ default: module.OrganizationExportScreen })),
)
const OrganizationImportScreen = lazy(() =>
  import('./import/OrganizationImportScreen.tsx').then((module) => ({ default: module.OrganizationImportScreen })),
)
const OrganizationUpdateScreen = lazy(() =>
  import('./update/OrganizationUpdateScreen.tsx').then((module) => ({ default: module.OrganizationUpdateScreen })),
)

/** Customer organizations (2.13-2.16) and the viewer's own (2.27, 2.28). */
export function App({ notFound }: RemoteProps) {
  return (
    <Routes>
      <Route path="/organization" element={<OrganizationListScreen />} />
      <Route path="/organization/add" element={<OrganizationAddScreen />} />
      <Route path="/organization/setup" element={<OrganizationSetupScreen />} />
      <Route path="/organization/detail/:id" element={<OrganizationDetailScreen />} />
      <Route path="/organization/update/:id" element={<OrganizationUpdateScreen />} />
      <Route path="/organization/assign-saas/:id" element={<OrganizationAssignSaasScreen />} />
      <Route path="/account/organization" element={<OwnOrganizationScreen />} />
      <Route path="/account/organization/edit" element={<OwnOrganizationEditScreen />} />
      <Route path="/account/organization/export" element={<OrganizationExportScreen />} />
      <Route path="/account/organization/import" element={<OrganizationImportScreen />} />
      <Route path="*" element={notFound} />
    </Routes>
  )
}
