import { declarations } from '../remotes/snapshot.ts'
import { Screen } from '@dmp/kit/screen'
import { useParams } from '@dmp/kit/router'
import { EyeInvisibleOutlined } from '@dmp/kit/ui'
import { DeadEnd } from '../shell/DeadEnd.tsx'
import { findModuleAndAction } from './findModuleAndAction.ts'

/** 2.38: module and action come from the address and are shown only if they are known names. */
export function NotAuthorizedScreen() {
  const { module = '', action = '' } = useParams()
  const names = findModuleAndAction(module, action, declarations())
  return (
    <Screen title="403 Not Authorized">
      <DeadEnd sign={<EyeInvisibleOutlined />}>
        <p>
          {names
            ? `You do not have access to ${names.module} module, ${names.action} action`
            : 'You do not have access to this page.'}
        </p>
        <p>Kindly try accessing modules from the left panel.</p>
      </DeadEnd>
    </Screen>
  )
}
