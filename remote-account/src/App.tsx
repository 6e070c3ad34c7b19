import { lazy } from 'react'
import { Route, Routes, type RemoteProps } from '@dmp/kit/router'
import { LoginScreen } from './login/LoginScreen.tsx'

// The sign-in page is the first page that users wait for; the other screens load when their address is entered.
const SetNewPasswordScreen = lazy(() =>
  import('./set-new-password/SetNewPasswordScreen.tsx').then((module) => ({ default: module.SetNewPasswordScreen })),
)
const SetupScreen = lazy(() => import('./setup/SetupScreen.tsx').then((module) => ({ default: module.SetupScreen })))
const ForgotPasswordScreen = lazy(() =>
  import('./forgot-password/ForgotPasswordScreen.tsx').then((module) => ({ default: module.ForgotPasswordScreen })),
)
const ResetPasswordScreen = lazy(() =>
  import('./reset-password/ResetPasswordScreen.tsx').then((module) => ({ default: module.ResetPasswordScreen })),
)
const ProfileScreen = lazy(() =>
  import('./profile/ProfileScreen.tsx').then((module) => ({ default: module.ProfileScreen })),
)
const SecurityScreen = lazy(() =>
  import('./security/SecurityScreen.tsx').then((module) => ({ default: module.SecurityScreen })),
)
const ApiTokenListScreen = lazy(() =>
  import('./api-tokens/ApiTokenListScreen.tsx').then((module) => ({ default: module.ApiTokenListScreen })),
)
const ApiTokenDetailScreen = lazy(() =>
  import('./api-tokens/ApiTokenDetailScreen.tsx').then((module) => ({ default: module.ApiTokenDetailScreen })),
)
const WebhookListScreen = lazy(() =>
  import('./webhooks/WebhookListScreen.tsx').then((module) => ({ default: module.WebhookListScreen })),
)
const WebhookDetailScreen = lazy(() =>
  import('./webhooks/WebhookDetailScreen.tsx').then((module) => ({ default: module.WebhookDetailScreen })),
)
const DeliveryScreen = lazy(() =>
  import('./webhooks/DeliveryScreen.tsx').then((module) => ({ default: module.DeliveryScreen })),
)
const DicomPartnerListScreen = lazy(() =>
  import('./dicom-partners/DicomPartnerListScreen.tsx').then((module) => ({ default: module.DicomPartnerListScreen })),
)
const DicomPartnerDetailScreen = lazy(() =>
  import('./dicom-partners/DicomPartnerDetailScreen.tsx').then((module) => ({
    default: module.DicomPartnerDetailScreen,
  })),
)
const StationListScreen = lazy(() =>
  import('./stations/StationListScreen.tsx').then((module) => ({ default: module.StationListScreen })),
)
const InboxChoicesScreen = lazy(() =>
  import('./inbox/InboxChoicesScreen.tsx').then((module) => ({ default: module.InboxChoicesScreen })),
)
const DeviceScreen = lazy(() =>
  import('./device/DeviceScreen.tsx').then((module) => ({ default: module.DeviceScreen })),
)

export function App({ notFound }: RemoteProps) {
  return (
    <Routes>
      <Route path="/login" element={<LoginScreen />} />
      <Route path="/set-new-password/:userId?/:session?" element={<SetNewPasswordScreen />} />
      <Route path="/setup" element={<SetupScreen />} />
      <Route path="/forgot-password" element={<ForgotPasswordScreen />} />
      <Route path="/reset-password/:userId?/:code?" element={<ResetPasswordScreen />} />
      <Route path="/account/profile" element={<ProfileScreen />} />
      {/* 2.26: also seen as /account/Security; paths match without regard to case. */}
      <Route path="/account/security" element={<SecurityScreen />} />
      <Route path="/account/api-tokens" element={<ApiTokenListScreen />} />
      <Route path="/account/api-tokens/detail/:id" element={<ApiTokenDetailScreen />} />
      <Route path="/account/webhooks" element={<WebhookListScreen />} />
      <Route path="/account/webhooks/:id" element={<WebhookDetailScreen />} />
      <Route path="/account/webhooks/:id/:deliveryId" element={<DeliveryScreen />} />
      <Route path="/account/dicom-partners" element={<DicomPartnerListScreen />} />
      <Route path="/account/dicom-partners/:id" element={<DicomPartnerDetailScreen />} />
      <Route path="/account/stations" element={<StationListScreen />} />
      <Route path="/account/inbox" element={<InboxChoicesScreen />} />
      <Route path="/account/device" element={<DeviceScreen />} />
      <Route path="*" element={notFound} />
    </Routes>
  )
}
