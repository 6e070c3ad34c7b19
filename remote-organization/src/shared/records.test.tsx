import { recordScreens } from '@dmp/kit/records'
import { App } from '../App.tsx'
import * as cards from '../cards.ts'
import * as searches from '../search.ts'

recordScreens({ App, cards, searches })
