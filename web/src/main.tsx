/** The first script: session, theme, routes, and then the shell. */
import { render } from 'preact';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import { startRoutes } from './route';
import { startSession } from './session';
import { Shell } from './shell';
import { startTheme } from './theme';

startSession();
startTheme();
startRoutes();
render(<Shell />, document.getElementById('app')!);
