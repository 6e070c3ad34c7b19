import { account } from '@dmp/contract'
import { findLanguage, sayIn } from './languages.ts'
import { createTestServer } from '../testing/createTestServer.ts'
