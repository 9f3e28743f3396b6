#include "scratchpage/actors/policies/turn_reading.hpp"

#include <string>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "scratchpage/actors/policies/call_substitution.hpp"
#include "scratchpage/actors/policies/deed_reading.hpp"
#include "scratchpage/actors/policies/output_reading.hpp"
#include "scratchpage/actors/policies/request_matching.hpp"
#include "scratchpage/tests/support/policy_builders.hpp"

namespace scratchpage {

using namespace test;

namespace {

call_record called(std::string tool, std::string_view outputs) {
  call_record x;
  x.call_id = "a";
  x.planned_tool = tool;
  x.tool_id = std::move(tool);
  x.outputs = parse_object(outputs);
  return x;
}

std::string outcome(std::string input, std::vector<call_record> calls, std::string response = {}) {
  evaluation_input turn;
  turn.input = std::move(input);
  turn.calls = std::move(calls);
  turn.response = std::move(response);
  return to_string(read_whole_turn(turn).outcome);
}

output_finding finding(std::string_view outputs) {
  return read_outputs(parse_object(outputs)).finding;
}

} // namespace

BOOST_AUTO_TEST_SUITE(turn_readings)

BOOST_AUTO_TEST_CASE(outputs_tell_that_it_did_not_work) {
  BOOST_TEST((finding(R"({"ok":false})") == output_finding::failed));
  BOOST_TEST((finding(R"({"exit_code":1})") == output_finding::failed));
  BOOST_TEST((finding(R"({"status":503})") == output_finding::failed));
  BOOST_TEST((finding(R"({"error":"it is broken"})") == output_finding::failed));
  BOOST_TEST((finding(R"({"error":null,"rows":[1]})") == output_finding::fine));
  BOOST_TEST((finding(R"({"results":[]})") == output_finding::empty));
  BOOST_TEST((finding(R"({"sent":8,"total":10})") == output_finding::partial));
  BOOST_TEST((finding(R"({"status":"pending"})") == output_finding::pending));
  BOOST_TEST((finding("{}") == output_finding::silent));
}

BOOST_AUTO_TEST_CASE(outputs_tell_what_is_left_to_do) {
  BOOST_TEST((finding(R"({"copied":["a"],"remaining":["b","c"]})") == output_finding::partial));
  BOOST_TEST((finding(R"({"copied":["a","b"],"remaining":[]})") != output_finding::partial));
  BOOST_TEST((finding(R"({"files_copied":40,"total_files":90})") == output_finding::partial));
  BOOST_TEST((finding(R"({"download":"done","check":"not started"})") == output_finding::pending));
}

BOOST_AUTO_TEST_CASE(values_that_the_input_lists_are_all_wanted) {
  auto labels = std::vector{called("print_label", R"({"parcel":"P71","printed":true})"),
    called("print_label", R"({"parcel":"P72","printed":true})")};
  BOOST_TEST(outcome("Print the labels P71, P72 and P73", labels) == "more_work");
  BOOST_TEST(outcome("Print the labels P71 and P72", labels) == "complete");
  BOOST_TEST(
    outcome("Print the labels P71, P72 and P73", labels, "All are printed.") == "complete");
  BOOST_TEST((listed_values("rooms 101, 102 and 205, for 3 people")
              == std::vector<std::string>{"101", "102", "205"}));
  BOOST_TEST(listed_values("room 101 at 7 and 9").empty());
  BOOST_TEST(listed_values("room 101 or 102").empty()); // one of them will do
}

BOOST_AUTO_TEST_CASE(to_let_somebody_know_is_something_to_do) {
  auto moved = called("move_lesson", R"({"moved":true})");
  BOOST_TEST(outcome("Move the lesson to Friday and let the parents know", {moved}) == "more_work");
  BOOST_TEST(outcome("Move the lesson to Friday and let the parents know",
               {moved, called("notify_parents", R"({"sent":true})")})
             == "complete");
}

BOOST_AUTO_TEST_CASE(a_look_that_is_asked_for_beside_a_deed_counts) {
  auto saved = called("save_page", R"({"ok":true})");
  BOOST_TEST(outcome("Save the page and check the links", {saved}) == "more_work");
  BOOST_TEST(
    outcome("Save the page and check the links", {saved, called("check_links", R"({"links":12})")})
    == "complete");
  auto translated = called("translate", R"({"text":"Good morning"})");
  BOOST_TEST(outcome("把这句话翻译成英文并发给王老师", {translated}) == "more_work");
}

BOOST_AUTO_TEST_CASE(a_draft_is_not_sent) {
  auto draft = called("create_mail_draft", R"({"id":"d1"})");
  BOOST_TEST(outcome("Email the invoice to the tenant", {draft}) == "more_work");
  BOOST_TEST(outcome("Draft a reply to the tenant", {draft}) == "complete");
}

BOOST_AUTO_TEST_CASE(a_promise_to_look_is_no_answer) {
  BOOST_TEST(outcome("Which river is the longest?", {}, "Let me look that up.") == "more_work");
  BOOST_TEST(outcome("Which river is the longest?", {}, "The Nile.") == "complete");
}

BOOST_AUTO_TEST_CASE(who_needs_nothing_more_asks_for_nothing) {
  BOOST_TEST(outcome("Great, I need nothing more.", {}, "You are welcome!") == "complete");
  BOOST_TEST(outcome("Prima, mehr brauche ich nicht.", {}, "Gern!") == "complete");
}

BOOST_AUTO_TEST_CASE(what_is_needless_is_done) {
  BOOST_TEST(
    outcome("Close the window if it is open", {called("close_window", R"({"closed":false})")},
      "It was already shut, so nothing had to be done.")
    == "complete");
}

BOOST_AUTO_TEST_CASE(what_is_taken_already_is_not_needless) {
  auto bad = called("book_room", R"({"booked":false})");
  for (auto response : {"The room is already taken.", "There were no rooms left."})
    BOOST_TEST(outcome("Book the room for Friday", {bad}, response) != "complete", response);
}

BOOST_AUTO_TEST_CASE(a_list_of_what_is_left_may_be_what_was_asked_for) {
  BOOST_TEST((finding(R"({"pending":["a","b"]})") == output_finding::fine));
  BOOST_TEST(
    outcome("Show me my tasks", {called("list_tasks", R"({"todo":["a","b"]})")}) == "complete");
}

BOOST_AUTO_TEST_CASE(what_was_tried_in_vain_has_failed_in_any_language) {
  auto bad = called("drucken", R"({"ok":false})");
  BOOST_TEST(outcome("Drucke das Plakat", {bad}, "Das konnte ich nicht drucken.") == "failed");
  BOOST_TEST(outcome("Imprime el cartel", {bad}, "No he podido imprimirlo.") == "failed");
  BOOST_TEST(outcome("打印海报", {bad}, "打印失败。") == "failed");
}

BOOST_AUTO_TEST_CASE(capital_letters_with_marks_begin_words_too) {
  BOOST_TEST(outcome("Öffne die Garage", {}) == "more_work");
  BOOST_TEST(outcome("Öffne die Garage", {called("open_garage", R"({"ok":true})")}) == "complete");
}

BOOST_AUTO_TEST_CASE(what_was_asked_and_not_done_is_more_work) {
  BOOST_TEST(outcome("Order a pizza", {}) == "more_work");
  BOOST_TEST(outcome("Book a table for Friday", {called("get_weather", R"({"celsius":20})")})
             == "more_work");
  BOOST_TEST(outcome("Pay the bill", {called("pay", R"({"ok":false})")}) == "more_work");
  BOOST_TEST(outcome("Pay the bill", {called("pay", R"({"ok":true})")}) == "complete");
}

BOOST_AUTO_TEST_CASE(messages_of_tools_are_read_by_what_they_mean) {
  BOOST_TEST(
    (finding(R"({"message":"The parcel could not be delivered"})") < output_finding::fine));
  BOOST_TEST((finding(R"({"message":"Your booking is confirmed"})") == output_finding::fine));
  BOOST_TEST((finding(R"({"stdout":"2 rows\nerror: row 3\nrow 4"})") == output_finding::partial));
}

BOOST_AUTO_TEST_CASE(each_of_the_things_asked_for_counts) {
  BOOST_TEST(outcome("Book a hotel in Rome and a train there",
               {called("book_hotel", R"({"confirmation":"H1"})")}, "The hotel is booked.")
             == "more_work");
  BOOST_TEST(outcome("Turn off the lamp and tell me the weather",
               {called("switch_lamp", R"({"ok":true})")}, "The lamp is off.")
             == "more_work");
  BOOST_TEST(outcome("Turn off the lamp and tell me the weather",
               {called("switch_lamp", R"({"ok":true})")}, "The lamp is off, and it will rain.")
             == "complete");
}

BOOST_AUTO_TEST_CASE(who_answers_with_a_question_waits) {
  BOOST_TEST(outcome("Delete all my photos", {}, "Every one of them, for good?") == "waiting");
}

BOOST_AUTO_TEST_CASE(who_is_told_to_give_something_is_waited_for) {
  BOOST_TEST(outcome("Pay the bill", {called("pay_bill", R"({"status":"awaiting code"})")},
               "Please enter the code from your bank.")
             == "waiting");
  BOOST_TEST(
    outcome("Pay the bill", {called("pay_bill", R"({"paid":true})")}, "It is paid.") == "complete");
}

BOOST_AUTO_TEST_CASE(what_was_to_be_started_runs_on) {
  BOOST_TEST(outcome("Start the dishwasher", {called("start_dishwasher", R"({"ok":true})")},
               "The dishwasher is running.")
             == "complete");
  BOOST_TEST(outcome("Install the update", {called("install_update", R"({"ok":true})")},
               "The installation is running.")
             == "more_work");
}

BOOST_AUTO_TEST_CASE(a_plainly_bad_value_counts_under_any_name) {
  BOOST_TEST((finding(R"({"pipeline":"failed"})") == output_finding::failed));
  BOOST_TEST((finding(R"({"color":"red"})") == output_finding::fine));
}

BOOST_AUTO_TEST_CASE(bad_news_answers_what_somebody_wants_to_see) {
  BOOST_TEST(outcome("Show me the last build", {called("get_build", R"({"build":"failed"})")},
               "The last build failed.")
             == "complete");
}

BOOST_AUTO_TEST_CASE(lines_that_were_asked_for_may_speak_of_failures) {
  auto logs = called("show_logs", R"({"stdout":"error: no route\nconnected"})");
  BOOST_TEST(outcome("Show me the logs", {logs}, "Here they are.") == "complete");
  BOOST_TEST(outcome("Show me the logs", {logs}) == "more_work");
}

BOOST_AUTO_TEST_CASE(talk_needs_nothing) {
  BOOST_TEST(outcome("Thanks, bye!", {}) == "complete");
  BOOST_TEST(outcome("Vielen Dank", {}) == "complete");
  BOOST_TEST(is_small_talk("ありがとう"));
  BOOST_TEST(is_small_talk("Great, thanks! ###END###"));
  BOOST_TEST(things_asked("Yes, I confirm the new price").empty());
  BOOST_TEST(is_small_talk("See you tomorrow!"));
  BOOST_TEST(is_small_talk("Nope, that's everything. Have a good evening!"));
  BOOST_TEST(!is_small_talk("See you tomorrow, and pay the bill"));
  BOOST_TEST(!is_small_talk("Thanks, now pay the bill"));
}

BOOST_AUTO_TEST_CASE(an_id_tells_whether_a_call_changes_something) {
  BOOST_TEST(*changes_by_name("bookTable"));
  BOOST_TEST(!*changes_by_name("get_order"));
  BOOST_TEST(!*changes_by_name("mail_search"));
  BOOST_TEST(*changes_by_name("mail_letter"));
  BOOST_TEST(!*changes_by_name("weather_api"));
  BOOST_TEST(!changes_by_name("thing"));
  BOOST_TEST(read_deed("send_mail", {}, parse_object(R"({"sent":true})"), {}).succeeded);
  BOOST_TEST(!read_deed("send_mail", {}, parse_object(R"({"sent":false})"), {}).succeeded);
  BOOST_TEST(read_deed("thing", {}, {}, false).changes);
}

BOOST_AUTO_TEST_CASE(another_tool_makes_up_for_one_that_failed) {
  auto lost = called("rates_main", R"({"error":"HTTP 503"})");
  lost.outcome = call_outcome::failed;
  auto found = called("rates_backup", R"({"rate":1.07})");
  auto turn_of = [&](std::string input, std::string response) {
    evaluation_input turn;
    turn.input = std::move(input);
    turn.calls = {lost, found};
    turn.response = std::move(response);
    return turn;
  };
  BOOST_TEST(is_made_up_for(turn_of("What is the dollar at?", "It is at 1.07."), 0));
  BOOST_TEST(!is_made_up_for(turn_of("What is the dollar at?", ""), 0));
  BOOST_TEST(!is_made_up_for(turn_of("What is the dollar at?", "I am still working on it."), 0));
  found = called("send_sms", R"({"sent":true})");
  lost.tool_id = "send_push";
  BOOST_TEST(is_made_up_for(turn_of("Tell Ines about the delay by message and cancel my cab",
                              "I will report when it is done."),
               0)
             == false);
  BOOST_TEST(is_made_up_for(turn_of("Send Ines the new time", "I sent it as a text message."), 0));
}

BOOST_AUTO_TEST_CASE(what_only_the_person_can_do_is_waited_for) {
  auto entered = called("transfer_money", R"({"state":"pending_authorisation"})");
  BOOST_TEST(
    outcome("Pay the rent", {entered}, "I have entered it. Please approve it in your bank's app.")
    == "waiting");
  auto prepared = called("send_contract", R"({"state":"sent"})");
  BOOST_TEST(outcome("Finish the contract with Mr Ito", {prepared}, "It now needs your signature.")
             == "waiting");
  BOOST_TEST(outcome("Pay the rent", {called("transfer_money", R"({"state":"done"})")},
               "It is paid. The receipt is in your inbox.")
             == "complete");
}

BOOST_AUTO_TEST_CASE(outputs_contradict_what_was_asked_for) {
  auto check = [](std::string input, std::string_view outputs, std::string tool = "book_room") {
    return outcome(std::move(input), {called(std::move(tool), outputs)}, "It is done.");
  };
  BOOST_TEST(check("Book two rooms in Ghent", R"({"rooms":1,"confirmed":true})") == "more_work");
  BOOST_TEST(check("Book two rooms in Ghent", R"({"rooms":2,"confirmed":true})") == "complete");
  BOOST_TEST(check("Book a room for 3 nights", R"({"room":7,"confirmed":true})") == "complete");
  BOOST_TEST(
    check("Book a table for six", R"({"party_size":2,"ok":true})", "book_table") == "more_work");
  BOOST_TEST(check("Print the labels of all four boxes", R"({"printed":["a","b","c"]})", "print")
             == "more_work");
  BOOST_TEST(
    check("Print two copies of the menu", R"({"printed":["menu.pdf"]})", "print") == "complete");
  BOOST_TEST(
    check("Translate the menu into French", R"({"target":"es","file":"m.pdf"})", "translate_file")
    == "more_work");
  BOOST_TEST(check("Translate the menu into French", R"({"target":"fr-CA","file":"m.pdf"})",
               "translate_file")
             == "complete");
  BOOST_TEST(
    check("Change my address to 3 Elm Road", R"({"field":"phone","saved":true})", "update_account")
    == "more_work");
}

BOOST_AUTO_TEST_CASE(amounts_of_several_calls_are_added) {
  auto one = called("book_room", R"({"rooms":1,"confirmed":true})");
  BOOST_TEST(outcome("Book two rooms in Ghent", {one, one}, "Both are booked.") == "complete");
}

BOOST_AUTO_TEST_CASE(a_name_that_nobody_tells_of_is_left_to_do) {
  auto hours = called("timesheet", R"({"employee":"Nora","overtime":6})");
  BOOST_TEST(
    outcome("Count the overtime of Nora and Ivan", {hours}, "Nora has 6 hours.") == "more_work");
  BOOST_TEST(outcome("Count the overtime of Nora and Ivan", {hours, hours},
               "Nora has 6 hours, and Ivan has none.")
             == "complete");
}

BOOST_AUTO_TEST_CASE(who_does_not_want_to_has_failed) {
  BOOST_TEST(outcome("Change my exam grade to an A", {}, "I can't do that. It would be forgery.")
             == "failed");
  BOOST_TEST(
    outcome("Find out where my neighbour is now", {}, "I won't help with that.") == "failed");
}

BOOST_AUTO_TEST_CASE(a_promise_is_no_answer) {
  BOOST_TEST(outcome("Write to Ines that I am late", {}, "I will send her a message right away.")
             == "more_work");
  BOOST_TEST(
    outcome("Write a haiku", {}, "Rain taps the window, / the lamp hums on.") == "complete");
}

BOOST_AUTO_TEST_CASE(a_flag_that_is_false_may_be_what_was_wanted) {
  auto ended = called("newsletter", R"({"subscribed":false})");
  BOOST_TEST(
    outcome("Cancel my newsletter", {ended}, "Done, it will not come any more.") == "complete");
  BOOST_TEST(outcome("Subscribe me to the newsletter", {ended}, "Done.") == "more_work");
}

BOOST_AUTO_TEST_CASE(what_stands_beside_another_thing_is_asked_for_too) {
  auto booked = called("car_rental", R"({"reserved":true})");
  BOOST_TEST(outcome("Reserve a rental car in Porto and a parking space at home", {booked},
               "The rental car is reserved.")
             == "more_work");
  BOOST_TEST(outcome("Order a pizza and a coke", {called("order_food", R"({"ordered":true})")},
               "It is on its way.")
             == "complete");
}

BOOST_AUTO_TEST_CASE(a_signature_that_came_is_not_waited_for) {
  auto ended = called("send_contract", R"({"state":"sent"})");
  for (const auto* text : {"With your approval, the contract was sent.",
         "It is sent, and they no longer need your signature."})
    BOOST_TEST(outcome("Send the contract to Ms Ito", {ended}, text) == "complete", text);
}

BOOST_AUTO_TEST_CASE(what_will_be_from_now_on_is_no_work_that_is_left) {
  BOOST_TEST(outcome("Set the alarm to seven", {called("set_alarm", R"({"ok":true})")},
               "The alarm is set. It will now ring at seven.")
             == "complete");
}

BOOST_AUTO_TEST_CASE(words_that_begin_like_a_promise_may_be_what_was_asked_for) {
  BOOST_TEST(outcome("Write a line of a poem", {}, "I will arise at dawn and walk.") == "complete");
}

BOOST_AUTO_TEST_CASE(who_refuses_without_a_call_has_failed) {
  for (auto [input, response] : {
         std::pair{"Show me the salary of my boss", "I can't show you what others earn."},
         std::pair{"Unlock the phone of my sister", "I'm not allowed to unlock other phones."},
         std::pair{"Lösche das Konto meiner Chefin", "Fremde Konten darf ich nicht löschen."},
         std::pair{"Borra la cuenta de mi jefa", "No puedo borrar cuentas ajenas."},
         std::pair{"Supprime le compte de Luc", "Je ne peux pas supprimer ce compte."},
         std::pair{"删除他的账户", "抱歉，我不能删除别人的账户。"},
         std::pair{"彼の口座を削除して", "他の方の口座を削除することはできません。"},
       })
    BOOST_TEST(outcome(input, {}, response) == "failed", input);
  BOOST_TEST(outcome("Can you swim?", {}, "No, I cannot swim.") == "complete");
  BOOST_TEST(
    outcome("Who painted this?", {}, "I can't say for certain; perhaps Monet.") == "complete");
}

BOOST_AUTO_TEST_CASE(who_looked_and_cannot_do_it_has_failed) {
  auto looked = called("list_devices", R"({"devices":["lamp","oven"]})");
  for (auto [input, response] : {
         std::pair{"Start the fountain", "No fountain is connected, so I can't start it."},
         std::pair{"Starte den Brunnen", "Es gibt hier keinen, also kann ich ihn nicht starten."},
         std::pair{"Enciende la fuente", "No hay ninguna, así que no puedo encenderla."},
         std::pair{"Allume la fontaine", "Il n'y en a pas, je ne peux pas l'allumer."},
         std::pair{"打开喷泉", "没有找到喷泉设备，无法打开。"},
       })
    BOOST_TEST(outcome(input, {looked}, response) == "failed", input);
}

BOOST_AUTO_TEST_CASE(what_can_never_be_done_is_not_waited_for) {
  auto bad = called("recall_letter", R"({"error":"already posted"})");
  bad.outcome = call_outcome::failed;
  BOOST_TEST(outcome("Call back the letter to the notary", {bad},
               "A letter cannot be stopped once it has been posted.")
             == "failed");
  BOOST_TEST(outcome("Call back the letter to the notary", {bad},
               "I have no right to open the mail room. The letter has not been stopped.")
             == "failed");
  BOOST_TEST(outcome("Hole den Brief an die Notarin zurück", {bad},
               "Er lässt sich nicht zurückholen, sobald er unterwegs ist.")
             == "failed");
}

BOOST_AUTO_TEST_CASE(what_the_person_does_first_is_waited_for) {
  auto idle = called("kiln", R"({"state":"idle","reason":"lid up"})");
  for (auto [input, response] : {
         std::pair{"Start the kiln", "The lid is up. Please close it, then I'll start it."},
         std::pair{"Starte den Ofen", "Bitte schließen Sie den Deckel, dann starte ich ihn."},
         std::pair{"Inicia el horno", "Por favor, cierre la tapa para que pueda iniciarlo."},
         std::pair{"Démarre le four", "Veuillez fermer le couvercle pour que je le lance."},
         std::pair{"启动窑炉", "盖子开着，请把它盖上，我就启动。"},
         std::pair{"窯を起動して", "蓋を閉めてください。その後、起動します。"},
       })
    BOOST_TEST(outcome(input, {idle}, response) == "waiting", input);
  BOOST_TEST(outcome("Start the kiln", {called("kiln", R"({"started":false})")},
               "The lid is up. Once you have closed it, I'll start.")
             == "waiting");
  BOOST_TEST((finding(R"({"door":"shut","needs":"pin"})") == output_finding::pending));
  BOOST_TEST((finding(R"({"dish":"soup","needs":"salt"})") != output_finding::pending));
}

BOOST_AUTO_TEST_CASE(a_run_whose_result_is_told_is_complete) {
  auto ran = called("shell", R"({"exit_code":1,"stdout":"20 passed, 4 failed"})");
  BOOST_TEST(outcome("Run the checks and tell me whether they pass", {ran}, "No, 4 of 24 fail.")
             == "complete");
  BOOST_TEST(outcome("Lance les contrôles et dis-moi s'ils passent", {ran}, "Non, quatre échouent.")
             == "complete");
  BOOST_TEST(outcome("Repair the checks", {ran}, "Four of them are red.") == "more_work");
}

BOOST_AUTO_TEST_CASE(what_the_question_says_is_no_sign_of_work) {
  BOOST_TEST(outcome("Is the kiln still running?", {called("kiln", R"({"state":"running"})")},
               "Yes, it is still running.")
             == "complete");
}

BOOST_AUTO_TEST_CASE(what_is_checked_for_is_told) {
  auto listed = called("archive_search", R"({"letters":["A","B"]})");
  auto input = "List the letters of May and check them for typos";
  BOOST_TEST(outcome(input, {listed}, "There are two letters: A and B.") == "more_work");
  BOOST_TEST(outcome(input, {listed}, "Two letters, A and B; a typo in B.") == "complete");
  BOOST_TEST(outcome(input, {listed}, "Two letters, A and B, nothing wrong.") == "complete");
}

BOOST_AUTO_TEST_CASE(what_is_still_being_made_or_comes_next_is_more_work) {
  auto making = called("cloud", R"({"machine":"m1","state":"creating","address":null})");
  BOOST_TEST(outcome("Make a machine and give me its address", {making},
               "Machine m1 is being created; I'll pass the address on when it is up.")
             == "more_work");
  auto found = called("mail_search", R"({"messages":["Plan"]})");
  for (auto [input, response] : {
         std::pair{"Find the plan and forward it to Ada", "Found. I will forward it next."},
         std::pair{"Suche den Plan und schick ihn Ada", "Gefunden. Jetzt schicke ich ihn ihr."},
         std::pair{"Busca el plan y envíalo a Ada", "Encontrado. Ahora se lo envío."},
         std::pair{"Cherche le plan et envoie-le à Ada", "Trouvé. Je vais maintenant l'envoyer."},
         std::pair{"找到计划并发给小安", "找到了，接下来我发给小安。"},
         std::pair{"計画を探して、安藤さんに送って", "見つかりました。これから送ります。"},
       })
    BOOST_TEST(outcome(input, {found}, response) == "more_work", input);
}

BOOST_AUTO_TEST_CASE(short_numbers_that_are_listed_are_all_wanted) {
  auto closed = std::vector{called("close_gate", R"({"gate":21,"closed":true})"),
    called("close_gate", R"({"gate":22,"closed":true})")};
  BOOST_TEST(outcome("Close the gates 21, 22 and 23", closed) == "more_work");
  BOOST_TEST(outcome("Schließe die Schranken 21, 22 und 23", closed) == "more_work");
  BOOST_TEST(outcome("关闭21、22和23号门", closed) == "more_work");
  BOOST_TEST(outcome("Close the gates 21 and 22", closed) == "complete");
  BOOST_TEST(listed_values("wake me at 6, 7 and 8").empty());
}

BOOST_AUTO_TEST_CASE(what_is_brought_is_there_in_the_end) {
  auto at = [](std::string_view place) {
    return called("drive", "{\"at\":\"" + std::string{place} + "\"}");
  };
  auto held = called("gripper", R"({"holding":"crate"})");
  auto input = "Carry the crate from the cellar to the attic";
  BOOST_TEST(outcome(input, {at("cellar"), held}) == "more_work");
  BOOST_TEST(outcome(input, {at("cellar"), held, at("attic")}) == "complete");
  BOOST_TEST(outcome(input, {at("x=4"), held}) == "complete"); // nobody knows where that is
  BOOST_TEST(outcome("把箱子从地窖搬到阁楼", {at("地窖"), held}) == "more_work");
  BOOST_TEST(outcome("箱を地下室から屋根裏へ運んで", {at("地下室"), held}) == "more_work");
}

BOOST_AUTO_TEST_CASE(an_offer_of_more_help_waits_for_nothing) {
  auto done = called("cancel_course", R"({"status":"cancelled"})");
  BOOST_TEST(outcome("Cancel course 12", {done},
               "Course 12 is cancelled, 40.00 come back. Is there anything else I can sort out?")
             == "complete");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage
