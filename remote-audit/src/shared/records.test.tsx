import { recordScreens } from '@dmp/kit/records'
import { App } from '../App.tsx'
import * as searches from '../search.ts'

recordScreens({ App, searches })
