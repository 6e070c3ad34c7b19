import { Screen } from '@dmp/kit/screen'
import { ExclamationCircleOutlined } from '@dmp/kit/ui'
import { DeadEnd } from '../shell/DeadEnd.tsx'

/** The page of an address that nothing owns (2.37). */
export function NotFoundScreen() {
  return (
    <Screen title="404 PAGE NOT FOUND">
      <DeadEnd sign={<ExclamationCircleOutlined />}>
        <p>Check that you typed the address correctly. Kindly try accessing modules from the left panel.</p>
      </DeadEnd>
    </Screen>
  )
}
