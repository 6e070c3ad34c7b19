import { Screen } from '@dmp/kit/screen'
import { BackToDashboard } from '../shell/BackToDashboard.tsx'

/** 2.37 */
export function NotFoundScreen() {
  return (
    <Screen title="404 PAGE NOT FOUND">
      <p>Check that you typed the address correctly. Kindly try accessing modules from the left panel.</p>
      <BackToDashboard />
    </Screen>
  )
}
