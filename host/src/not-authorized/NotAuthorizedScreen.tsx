import { declarations } from '../composition/snapshot.ts'
import { Screen } from '@dmp/kit/screen'
import { useParams } from '@dmp/kit/router'
import { BackToDashboard } from '../shell/BackToDashboard.tsx'
import { knownNames } from './knownNames.ts'

/** 2.38; module and action come from the address and are shown only when they are known names. */
export function NotAuthorizedScreen() {
  const { module = '', action = '' } = useParams()
  const names = knownNames(module, action, declarations())
  return (
    <Screen title="403 Not Authorized">
      <p>{names ? `You do not have access to ${names.module} module, ${names.action} action` : 'You do not have access to this page.'}</p>
      <p>Kindly try accessing modules from the left panel.</p>
      <BackToDashboard />
    </Screen>
  )
}
