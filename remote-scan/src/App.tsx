import { lazy, type ReactNode } from 'react'
import { Route, Routes, type RemoteProps } from '@dmp/kit/router'
import { ScanListScreen } from './list/ScanListScreen.tsx'
import { Afterwards } from './shared/Afterwards.tsx'
import { loadDialogs } from './shared/laterDialogs.tsx'

// Lists are drawn without it, and fetch it once they are there. A slow line, or a page that was busy for longer than a
// script may take, gets a second chance.
const importDetail = () => import('./detail/ScanDetailScreen.tsx')
const loadDetail = () => importDetail().catch(importDetail)
const ScanDetailScreen = lazy(() => loadDetail().then((module) => ({ default: module.ScanDetailScreen })))
const later = [loadDetail, loadDialogs]

// A person with a link needs nothing of the rest, and the rest nothing of this; few people look at conflicts, at held
// pictures or into the bin.
const ScanShareScreen = lazy(() =>
  import('./share/ScanShareScreen.tsx').then((module) => ({ default: module.ScanShareScreen })),
)
const ScanConflictsScreen = lazy(() =>
  import('./conflicts/ScanConflictsScreen.tsx').then((module) => ({ default: module.ScanConflictsScreen })),
)
const ScanHeldScreen = lazy(() =>
  import('./held/ScanHeldScreen.tsx').then((module) => ({ default: module.ScanHeldScreen })),
)
const HeldScanScreen = lazy(() =>
  import('./held/HeldScanScreen.tsx').then((module) => ({ default: module.HeldScanScreen })),
)
const ScanBinScreen = lazy(() =>
  import('./bin/ScanBinScreen.tsx').then((module) => ({ default: module.ScanBinScreen })),
)
const PatientScreen = lazy(() =>
  import('./patient/PatientScreen.tsx').then((module) => ({ default: module.PatientScreen })),
)
const WorklistScreen = lazy(() =>
  import('./worklist/WorklistScreen.tsx').then((module) => ({ default: module.WorklistScreen })),
)
const ScanUploadScreen = lazy(() =>
  import('./upload/ScanUploadScreen.tsx').then((module) => ({ default: module.ScanUploadScreen })),
)

/** A list, and what its rows open once it stands. */
const withLater = (list: ReactNode) => (
  <>
    {list}
    <Afterwards load={later} />
  </>
)

/** Scans (2.19, 2.20) and what a share link opens. */
export function App({ notFound }: RemoteProps) {
  return (
    <Routes>
      <Route path="/scan" element={withLater(<ScanListScreen />)} />
      <Route path="/scan/detail/:organizationId/:seriesUID" element={<ScanDetailScreen />} />
      <Route path="/scan/patient/:organizationId/:studyUID" element={<PatientScreen />} />
      <Route path="/scan/conflicts" element={<ScanConflictsScreen />} />
      <Route path="/scan/bin" element={<ScanBinScreen />} />
      <Route path="/scan/held" element={<ScanHeldScreen />} />
      <Route path="/scan/held/:id" element={<HeldScanScreen />} />
      <Route path="/scan/worklist" element={withLater(<WorklistScreen />)} />
      <Route path="/scan/upload" element={<ScanUploadScreen />} />
      <Route path="/share/:token" element={<ScanShareScreen />} />
      <Route path="*" element={notFound} />
    </Routes>
  )
}
