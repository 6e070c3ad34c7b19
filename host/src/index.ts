// First: nothing may touch the page before the Trusted Types policy exists.
import './trustedTypes.ts'
import './styleNonce.ts'
import { showLanguage } from '@dmp/kit'
import { adoptPageScripts } from './remotes/adoptPageScripts.ts'
import { start } from './bootstrap.tsx'

showLanguage(document)
adoptPageScripts()
void start()
