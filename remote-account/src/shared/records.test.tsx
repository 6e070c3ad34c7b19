import { recordScreens } from '@dmp/kit/records'
import { App } from '../App.tsx'

recordScreens({ App })
