import { Route, Routes, type RemoteProps } from '@dmp/kit/router'
import { OrganizationAddScreen } from './add/OrganizationAddScreen.tsx'
import { OrganizationAssignSaasScreen } from './assign-saas/OrganizationAssignSaasScreen.tsx'
import { OrganizationDetailScreen } from './detail/OrganizationDetailScreen.tsx'
import { OrganizationListScreen } from './list/OrganizationListScreen.tsx'
import { OwnOrganizationEditScreen } from './own/OwnOrganizationEditScreen.tsx'
import { OwnOrganizationScreen } from './own/OwnOrganizationScreen.tsx'
import { OrganizationSetupScreen } from './setup/OrganizationSetupScreen.tsx'
import { OrganizationUpdateScreen } from './update/OrganizationUpdateScreen.tsx'

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
      <Route path="*" element={notFound} />
    </Routes>
  )
}
