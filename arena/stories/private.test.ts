import { privateStories } from "./private.ts";
import { storiesAreTold } from "./suite.ts";

storiesAreTold(privateStories, true);
