// First: nothing may touch the page before the policy on markup and script addresses stands.
import './trustedTypes.ts'
import './styleNonce.ts'
import { adoptPageScripts } from './remotes/pageScripts.ts'
import { start } from './bootstrap.tsx'

adoptPageScripts()
void start()
